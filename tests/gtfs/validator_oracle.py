"""The reference validator in pure Python, as an oracle: what it says of a feed."""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

_RUN = "import sys; from gtfs_validator.cli import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True)
class Verdict:
    """Codes by severity; a sample of each is kept for the failure's message."""

    notices: tuple[tuple[str, str, str], ...]

    def of(self, *severities: str) -> tuple[tuple[str, str, str], ...]:
        """(severity, code, first sample) of the notices of these severities."""
        return tuple(notice for notice in self.notices if notice[0] in severities)


def judge(feed: bytes, day: str = "2026-12-01") -> Verdict:
    """Validate a zip as of a day; a broken zip has an empty report, so the exit code counts, too."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "feed.zip"
        path.write_bytes(feed)
        arguments = ["-i", str(path), "-o", folder, "-c", "BR", "-d", day]
        ended = subprocess.run(
            [sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        report = json.loads((Path(folder) / "report.json").read_text())
    return Verdict(
        tuple((row["severity"], row["code"], str(row["sampleNotices"][:1])) for row in report["notices"])
    )
