"""What a seat sees of Santiago de Cuba and makes of it: for bots, programs that learn, and pages. No rules are here."""
