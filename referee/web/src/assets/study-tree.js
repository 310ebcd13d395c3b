// A game with its variations as the server keeps it: the nodes that this page knows, and their positions.

import { get } from './app.js';

export class StudyTree {
  constructor(id) {
    this.path = `api/study/${id}`;
    this.nodes = new Map();
    this.version = 0;
    this.views = new Map();
    this.news = Promise.resolve();
  }

  /** Gets what has changed; calls come one after the other. Returns whether anything did. */
  sync() {
    this.news = this.news.catch(() => {}).then(() => this.load());
    return this.news;
  }

  async load() {
    const { nodes, ...about } = await get(`${this.path}?since=${this.version}`);
    const changed = about.version !== this.version;
    Object.assign(this, { about, version: about.version });
    for (const [id, node] of nodes) {
      if (id === 0 || node.parent !== null) this.nodes.set(id, node);
      else {
        this.nodes.delete(id);
        this.views.delete(id);
      }
    }
    return changed;
  }

  node(id) {
    return this.nodes.get(id);
  }

  has(id) {
    return this.nodes.has(id);
  }

  /** The nodes from the one after the start to this one. */
  pathOf(id) {
    const path = [];
    for (let at = id; at !== 0 && this.has(at); at = this.node(at).parent) path.push(at);
    return path.reverse();
  }

  /** The moves that lead to a position, as a view has them. */
  plies(id) {
    return this.pathOf(id).map((at) => this.node(at).ply);
  }

  /** The last position of the line through a node. */
  end(id) {
    let at = id;
    while (this.node(at).children.length) [at] = this.node(at).children;
    return at;
  }

  /** The nearest fork at or before a node: the variations there, and the one that leads to the node. */
  fork(id) {
    for (let at = id; at !== 0; at = this.node(at).parent) {
      const { children } = this.node(this.node(at).parent);
      if (children.length > 1) return { children, place: children.indexOf(at) };
    }
    return null;
  }

  /** Whether a node is on the main line. */
  isMain(id) {
    return this.pathOf(id).every((at) => this.node(this.node(at).parent).children[0] === at);
  }

  /** The position of a node as the board takes it. */
  async view(id) {
    if (!this.views.has(id)) {
      // Positions never change, but there may be many of them.
      if (this.views.size > 500) this.views.clear();
      this.views.set(id, await get(`${this.path}/view/${id}`));
    }
    return { ...this.views.get(id), shown: this.plies(id) };
  }
}
