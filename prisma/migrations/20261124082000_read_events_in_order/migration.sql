-- The next events of an organisation between two numbers, in their order: always a range of the primary key. As long as the
-- statistics know nothing of a burst of events, the planner expects a handful, and would sort all that there are for each
-- page.
CREATE FUNCTION "events_between"("organisation" UUID, "after" BIGINT, "before" BIGINT, "most" BIGINT) RETURNS SETOF "events"
LANGUAGE sql STABLE
SET enable_bitmapscan TO off
SET enable_sort TO off
AS $$
    SELECT * FROM "events"
    WHERE "organisation_id" = "organisation" AND "id" > "after" AND "id" < "before"
    ORDER BY "id"
    LIMIT "most"
$$;
