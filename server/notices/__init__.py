"""Notices: who is away hears that it is his turn, by mail, push or webhook.

Laws of this package:

1. Nothing is sent from the path of a decision. What is due is looked for in the log and the lobby (`due`),
   put into the table people.outbox, and told from there by workers (`worker`), on whichever node.
2. Once a turn, kind and channel, by a key of the table. A worker that is killed between sending and noting it
   may tell twice; what is due is never left untold. What has come to nothing meanwhile is not told.
3. A notice tells nothing that the seat's own view would not: the title, who is on the other side, the label
   of the match, and a link to it that opens nothing by itself.
4. Where a channel leads is sealed with the key ring, and stands in no log line, error, metric or answer.
5. Whoever names a place on the web names one on the open internet (`outward`): not this machine, nor a
   neighbour of it.

Deliberately absent: persons and their sessions, the page, and what one person sends another.
"""
