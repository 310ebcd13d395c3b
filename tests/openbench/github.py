"""Stands in for GitHub on this machine: a proxy for HTTPS that answers what OpenBench's server and client ask github.com and
its API, from a repository and a folder here.

    repos/OWNER/NAME/branches/BRANCH, commits/SHA, compare/A...B, zipball/SHA      the repository
    OWNER/NAME/releases/download/books/FILE                                        the folder

Whoever uses it sets HTTPS_PROXY to its address and REQUESTS_CA_BUNDLE to its certificate.
"""

import http.server
import json
import pathlib
import socketserver
import ssl
import subprocess
import threading

HOSTS = ["github.com", "api.github.com"]


def certificate(folder):
    """A certificate for the hosts, signed by itself: its file and its key's."""
    cert, key = folder / "github.pem", folder / "github.key"
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=stand-in",
               "-addext", f"subjectAltName={names}", "-out", str(cert), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


class Forge:
    """A repository, and books by file name."""

    def __init__(self, repository, books):
        self.repository, self.books = pathlib.Path(repository), pathlib.Path(books)

    def git(self, *words, text=True):
        command = ["git", "-C", str(self.repository), *words]
        return subprocess.run(command, check=True, capture_output=True, text=text).stdout

    def answer(self, path):
        """The type and the content of a page; raises if there is none."""
        parts = path.strip("/").split("/")
        if parts[0] == "repos":
            kind, rest = parts[3], "/".join(parts[4:])
            if kind == "compare":
                return "application/json", json.dumps({"ahead_by": 0}).encode()
            sha = self.git("rev-parse", "--verify", f"{rest}^{{commit}}").strip()
            if kind == "zipball":
                return "application/zip", self.git("archive", "--format=zip", f"--prefix=source-{sha[:7]}/", sha, text=False)
            commit = {"sha": sha, "commit": {"message": self.git("log", "-1", "--format=%B", sha)}}
            return "application/json", json.dumps({"commit": commit} if kind == "branches" else commit).encode()
        return "application/zip", (self.books / parts[-1]).read_bytes()


def serve(forge, folder):
    """Starts the proxy on a free port; its address, and the certificate to trust."""
    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_CONNECT(self):
            self.send_response(200)
            self.end_headers()
            self.connection = context.wrap_socket(self.connection, server_side=True)
            self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
            # The request follows, also of a client that says HTTP/1.0.
            self.close_connection = False

        def do_GET(self):
            try:
                kind, content, status = *forge.answer(self.path), 200
            except (OSError, subprocess.CalledProcessError) as error:
                kind, content, status = "application/json", json.dumps({"message": str(error)}).encode(), 404
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(content)
            self.close_connection = True

        def log_message(self, *_):
            pass

    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", cert
