"""Serves one application as `selo serve` does: `python -m bench.server PORT WORKERS [MODULE:FACTORY]`."""

import sys

from web.serving import open_socket, serve

if __name__ == "__main__":
    port, workers, *app = sys.argv[1:]
    serve(open_socket("127.0.0.1", int(port)), int(workers), *app)
