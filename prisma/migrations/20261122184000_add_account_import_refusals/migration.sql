-- What was refused, and what is reported of a call that succeeded: one row an account import, operation and report, with
-- codes and paths of fields, never a value. The number of an account import may never have been staged.
CREATE TABLE "account_import_refusals" (
    "account_import_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "reported" TEXT NOT NULL DEFAULT '',
    "import_supplier_code" TEXT NOT NULL,
    "external_account_number" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "errors" JSONB NOT NULL,
    "problems" TEXT[] NOT NULL,
    "detail" JSONB,
    "is_staged" BOOLEAN NOT NULL,
    "is_created" BOOLEAN NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "request_id" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_import_refusals_pkey" PRIMARY KEY ("account_import_id","operation","reported")
);

-- The open refusals and reports by kind of problem, with the number of accounts that have it: as of the last time that
-- the changes were added up.
CREATE TABLE "import_problems" (
    "id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "is_refusal" BOOLEAN NOT NULL,
    "code" TEXT NOT NULL,
    "attr" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_problems_pkey" PRIMARY KEY ("id")
);

-- Which accounts have a problem.
CREATE TABLE "import_problem_accounts" (
    "problem_id" UUID NOT NULL,
    "account_import_id" UUID NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_problem_accounts_pkey" PRIMARY KEY ("problem_id","account_import_id")
);

-- What has changed since: rows are only added and, once they are added up, removed. A counter that every writer of a
-- problem updates would make them wait for each other, and deadlock where they have several problems.
CREATE TABLE "import_problem_changes" (
    "id" BIGSERIAL NOT NULL,
    "problem_id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "is_refusal" BOOLEAN NOT NULL,
    "problem" TEXT NOT NULL,
    "change" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_problem_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "import_problems_import_supplier_code_idx" ON "import_problems"("import_supplier_code");
CREATE INDEX "import_problem_accounts_problem_id_last_seen_at_idx" ON "import_problem_accounts"("problem_id", "last_seen_at");
CREATE INDEX "import_problem_changes_import_supplier_code_idx" ON "import_problem_changes"("import_supplier_code");

-- Open refusals of accounts that exist: how many accounts are created and not complete. Few, and so is what is read.
CREATE INDEX "account_import_refusals_of_created_idx" ON "account_import_refusals"("import_supplier_code", "account_import_id")
    WHERE "resolved_at" IS NULL AND "is_created" AND "reported" = '';
-- The oldest of the numbers that were never staged, which go first where there are too many.
CREATE INDEX "account_import_refusals_of_unstaged_idx" ON "account_import_refusals"("import_supplier_code", "last_seen_at")
    WHERE "resolved_at" IS NULL AND NOT "is_staged";
-- What may have been refused while its account was being created.
CREATE INDEX "account_import_refusals_last_seen_at_idx" ON "account_import_refusals"("last_seen_at")
    WHERE "resolved_at" IS NULL AND NOT "is_created";
CREATE INDEX "account_import_refusals_resolved_at_idx" ON "account_import_refusals"("resolved_at")
    WHERE "resolved_at" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "account_import_refusals" ADD CONSTRAINT "account_import_refusals_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Codes and paths, and nothing else that a payload or a sentence could have brought in.
CREATE FUNCTION "are_refused_fields"("errors" JSONB) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN jsonb_typeof("errors") = 'array' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements("errors") AS "element" ("error")
        WHERE jsonb_typeof("error") <> 'object' OR "error" - 'code' - 'attr' <> '{}'
            OR ("error"->>'code' ~ '^[a-z][a-z_]*$') IS NOT TRUE OR ("error"->>'attr' ~ '^[A-Za-z0-9_.?*-]*$') IS NOT TRUE
    );
END $$;

ALTER TABLE "account_import_refusals"
    ADD CONSTRAINT "account_import_refusals_id_check"
        CHECK ("account_import_id" = "account_import_id"("import_supplier_code", "external_account_number")),
    ADD CONSTRAINT "account_import_refusals_operation_check" CHECK ("operation" IN ('validate', 'stage', 'process', 'dry_run',
        'notes', 'transactions', 'statements', 'payment_instruction')),
    ADD CONSTRAINT "account_import_refusals_code_check"
        CHECK ("code" ~ '^[a-z][a-z_]*$' AND "reported" IN ('', "code") AND ("detail" IS NULL OR "reported" <> '')),
    ADD CONSTRAINT "account_import_refusals_errors_check" CHECK ("are_refused_fields"("errors") AND cardinality("problems") > 0),
    ADD CONSTRAINT "account_import_refusals_times_check" CHECK ("times" >= 1 AND "first_seen_at" <= "last_seen_at");

-- Keeps the problems in step with the open refusals, whatever statement opens, changes, resolves or removes one. A
-- problem is a code, a space and the path of a field, without indexes; it is empty where no field is at fault.
CREATE FUNCTION "keep_import_problems"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "former" TEXT[] := '{}';
    "present" TEXT[] := '{}';
    "refusal" "account_import_refusals";
BEGIN
    IF TG_OP = 'DELETE' THEN "refusal" := OLD; ELSE "refusal" := NEW; END IF;
    IF TG_OP <> 'INSERT' AND OLD."resolved_at" IS NULL THEN "former" := OLD."problems"; END IF;
    IF TG_OP <> 'DELETE' AND NEW."resolved_at" IS NULL THEN "present" := NEW."problems"; END IF;

    WITH "problem" AS (
        SELECT "text", md5(concat_ws(' ', "refusal"."import_supplier_code", "refusal"."operation",
            "refusal"."reported" = '', "text"))::uuid AS "id"
        FROM (SELECT unnest("former") UNION SELECT unnest("present")) AS "both" ("text")
    ),
    "gone" AS (
        DELETE FROM "import_problem_accounts" USING "problem"
        WHERE "problem_id" = "problem"."id" AND "account_import_id" = "refusal"."account_import_id"
            AND NOT "text" = ANY ("present")
        RETURNING "problem"."id", "text", -1 AS "change"
    ),
    "added" AS (
        INSERT INTO "import_problem_accounts" AS "known" ("problem_id", "account_import_id", "last_seen_at")
        SELECT "id", "refusal"."account_import_id", "refusal"."last_seen_at" FROM "problem" WHERE "text" = ANY ("present")
        ON CONFLICT ("problem_id", "account_import_id") DO UPDATE SET "last_seen_at" = excluded."last_seen_at"
        RETURNING "problem_id"
    )
    INSERT INTO "import_problem_changes"
        ("problem_id", "import_supplier_code", "operation", "is_refusal", "problem", "change", "changed_at")
    SELECT "id", "refusal"."import_supplier_code", "refusal"."operation", "refusal"."reported" = '', "text", "change",
        "refusal"."last_seen_at"
    FROM (
        SELECT "id", "text", "change" FROM "gone"
        UNION ALL
        SELECT "id", "text", 1 FROM "problem" JOIN "added" ON "problem_id" = "id" WHERE NOT "text" = ANY ("former")
    ) AS "changed";
    RETURN NULL;
END $$;

CREATE TRIGGER "account_import_refusals_keep_problems" AFTER INSERT OR DELETE OR UPDATE ON "account_import_refusals"
    FOR EACH ROW EXECUTE FUNCTION "keep_import_problems"();

-- Resolves the open refusals and reports of an account import, within the statement that succeeds. The statement looks
-- first whether there are any: an UPDATE of its own in each success would cost it more than that, and this costs nothing
-- where there are none.
CREATE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ) RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE "account_import_refusals"
    SET "is_staged" = true,
        "is_created" = "is_created" OR 'stage' <> ALL ("succeeded"),
        "resolved_at" = CASE WHEN "operation" = ANY ("succeeded") THEN "resolved" END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;
END $$;
