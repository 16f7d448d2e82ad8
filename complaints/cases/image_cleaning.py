"""Re-encoding of one image in a process of its own with hard limits: what comes out has no metadata.

Run as `python -I -m complaints.cases.image_cleaning`: the original on standard input; on success (exit 0)
one line of JSON (type, width, height) and then the clean bytes on standard output; on refusal (exit 3) a word.
"""

import io
import json
import resource
import sys
import warnings

MAX_PIXELS = 50_000_000
MAX_SIDE = 2048
MEMORY_BYTES = 768 * 1024 * 1024
CPU_SECONDS = 10

REFUSED = 3


def clean_image(original: bytes) -> tuple[bytes, str, int, int]:
    """Decode, turn upright, shrink to MAX_SIDE and encode afresh: (bytes, media type, width, height).

    Raises OSError or ValueError for what is no JPEG, PNG, WebP or HEIF image, and for one with too many pixels.
    """
    from PIL import Image, ImageOps
    from pillow_heif import register_heif_opener

    register_heif_opener(thumbnails=False, decode_threads=1)
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(original), formats=("JPEG", "PNG", "WEBP", "HEIF")) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ValueError("too many pixels")
            image.draft("RGB", (MAX_SIDE, MAX_SIDE))
            upright = ImageOps.exif_transpose(image)
            upright.thumbnail((MAX_SIDE, MAX_SIDE))
            flat = Image.new("RGB", upright.size, "white")
            flat.paste(upright.convert("RGBA"), mask=upright.convert("RGBA").getchannel("A"))
    clean = io.BytesIO()
    flat.save(clean, "JPEG", quality=85, optimize=True)
    return clean.getvalue(), "image/jpeg", flat.width, flat.height


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))


def main() -> int:
    """The child process."""
    _limit()
    try:
        content, media_type, width, height = clean_image(sys.stdin.buffer.read())
    except MemoryError:
        print("memory")
        return REFUSED
    except Exception as error:
        print("pixels" if "DecompressionBomb" in type(error).__name__ or "pixels" in str(error) else "unreadable")
        return REFUSED
    head = json.dumps({"type": media_type, "width": width, "height": height})
    sys.stdout.buffer.write(head.encode() + b"\n" + content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
