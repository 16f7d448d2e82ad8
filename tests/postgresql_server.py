"""A private PostgreSQL server for one test run: own folder, own user, a socket and no port."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

_FAST_AND_FORGETFUL = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "200",
    "dynamic_shared_memory_type": "mmap",  # inside our folder, so that nothing is left behind
}


class PostgresqlServer:
    """A running server; databases are made from a template in a few dozen milliseconds."""

    def __init__(self, binaries: Path) -> None:
        memory = Path("/dev/shm")
        place = memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30 else None
        self.folder = Path(tempfile.mkdtemp(prefix="selo-pg-", dir=place))
        self._as_user = _other_user(self.folder)
        self._made = 0
        try:
            self._run_initdb(binaries)
            self._process = self._start(binaries)
            self._admin = self._connect()
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def url(self, name: str) -> str:
        """The address of one database of this server."""
        return f"postgresql+psycopg://selo@/{name}?host={self.folder}"

    def create(self, template: str | None = None) -> str:
        """Make a database, empty or a copy of `template`; returns its name."""
        self._made += 1
        name = f"test_{self._made}"
        copied = f" TEMPLATE {template} STRATEGY file_copy" if template else ""
        self._say(f"CREATE DATABASE {name}{copied}")
        return name

    def freeze(self, name: str) -> None:
        """Make a database a template: nobody can connect to it any more."""
        self._say(f"ALTER DATABASE {name} IS_TEMPLATE true ALLOW_CONNECTIONS false")

    def drop(self, name: str) -> None:
        """Delete a database, ending whatever is connected to it."""
        self._say(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        """End the server and remove its folder."""
        self._admin.close()
        self._process.send_signal(signal.SIGINT)
        self._process.wait(30)
        shutil.rmtree(self.folder)

    def _say(self, command: str) -> None:
        self._admin.execute(command.encode())

    def _run_initdb(self, binaries: Path) -> None:
        options = ["-U", "selo", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"]
        command = [str(binaries / "initdb"), "-D", str(self.folder / "data"), *options]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, **self._as_user)
        if done.returncode:
            raise RuntimeError(f"initdb failed: {done.stderr}")

    def _start(self, binaries: Path) -> "subprocess.Popen[bytes]":
        settings = [f"-c{name}={value}" for name, value in _FAST_AND_FORGETFUL.items()]
        command = [str(binaries / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                command + settings, cwd="/", stdout=log, stderr=log, start_new_session=True, **self._as_user
            )

    def _connect(self) -> "psycopg.Connection[tuple[Any, ...]]":
        deadline = time.monotonic() + 30
        while True:
            try:
                return psycopg.connect(user="selo", dbname="postgres", host=str(self.folder), autocommit=True)
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)


def _other_user(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then the folder and the processes belong to `postgres`."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
