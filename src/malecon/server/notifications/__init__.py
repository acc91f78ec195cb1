"""What people are told outside the page: messages to devices, web hooks, and how many tables wait for somebody."""
