-- The order of the feed, as an index. One by xid alone makes a page sort whatever has that xid; after a restore, which is
-- one transaction, this is the whole log, for each page.
--
-- On a log with facts in it the index is built before this file is applied, beside nodes that play and append:
-- ahead: log.fact (xid, match_id, seq)
-- What is left to do here takes the table for a moment. The old index goes at once, since appends pay for each, and since
-- all that an older node asks by xid is answered by the new one, of which xid comes first.

DROP INDEX log.fact_feed;
CREATE INDEX fact_order ON log.fact (xid, match_id, seq);
