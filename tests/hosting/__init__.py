"""What the pages for hosts say, done: their commands and files, with real proxies, processes and systems."""
