"""The web server. Each package may use those below it, never those above.

`web`            requests and answers: the application, its routes, its guard
`pages`          HTML and what is sent to open pages
`tournaments`    tournaments, pairings, standings
`notifications`  push messages, web hooks, the count of tables that wait
`lobby`          tables that wait for players
`chat`           messages at tables
`learning`       progress in lessons, puzzles, analyses, counts for the explorer
`moderation`     rules of the server, reports, sanctions
`accounts`       visitors, accounts, sessions, presence, profiles, ratings
`tables`         tables, every change of them, autoplay, deadlines, hints, reviews
`workers`        where bots, hints and reviews are computed: threads, or worker processes
`operations`     metrics, limits, the memory budget, the doctor
`storage`        the database: schema, log, snapshots, backups, migrations

`errors`, `names` and `background` may be used by all of them.
"""
