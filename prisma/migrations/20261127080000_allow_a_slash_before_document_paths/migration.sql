-- One slash may stand before a document path: the path is below its root all the same. The root itself has none.
CREATE OR REPLACE FUNCTION "are_document_paths"(VARIADIC "paths" TEXT[]) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    "path" TEXT;
BEGIN
    FOREACH "path" IN ARRAY "paths" LOOP
        IF "path" IS NULL OR regexp_replace("path", '^/', '') ~
            '(^|/)\.{0,2}(/|$)|[\\\u0001-\u001F\u007F-\u009F]|%2[eEfF]|^[A-Za-z][A-Za-z0-9+.-]*:' THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $$;

ALTER TABLE "import_suppliers"
    ADD CONSTRAINT "import_suppliers_document_root_slash_check" CHECK ("document_root" NOT LIKE '/%') NOT VALID;
