"""The games as environments of other libraries, one module for each: `gymnasium`, `pettingzoo`, `openspiel`.

None of the libraries is needed for anything else; the import of a module whose library is missing says how to install it.
"""
