"""What a seat sees of Cuba and makes of it: for bots, programs that learn, and pages. No rules live here."""
