-- Until when the refusals were settled that did not see what happened to their account (one row): after a stop of the
-- service they are settled from there.
CREATE TABLE "refusal_settlements" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "settled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refusal_settlements_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "refusal_settlements_id_check" CHECK ("id" = 1)
);

-- What was refused before may have been left open by a stop of the previous version.
INSERT INTO "refusal_settlements" ("settled_at") VALUES (now() - interval '1 day');
