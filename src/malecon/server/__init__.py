"""The table in the browser: a web server in eight rooms. Each may use those below it, never those above.

`web`        requests and answers: the application, its routes, its guard
`page`       what a viewer is shown, and how it is sent
`company`    the lobby, where tables wait for players, and conversations at tables
`people`     visitors, accounts, sessions, ratings, web hooks
`tables`     one table, what may be done at tables, the bots that play there, clocks, reviews
`thought`    how bots think for tables
`operation`  metrics, limits, the examination of the machine
`storage`    the database: schema, log, snapshots, backups, migrations

What the server refuses is in `errors`, what its pages say in `texts` and `company_texts`, how people's names are
compared in `names`, where tasks are kept in `background`; every room may use them.
"""
