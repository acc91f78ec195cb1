"""Files for hosts, as examples that work: a unit for systemd, and settings for nginx and Caddy."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
#: The examples by the program that reads them.
FILES = {"systemd": "malecon.service", "nginx": "nginx.conf", "caddy": "Caddyfile"}
#: The site in them.
SITE = "games.example"


def example(program: str, site: str = "") -> str:
    """Return the example for a program, with the name of a site put in."""
    text = (FOLDER / FILES[program]).read_text(encoding="utf-8")
    return text.replace(SITE, site) if site else text
