-- An e-mail that would be one too many for its mailbox waits, and says so (behaviour 29.3.10).
ALTER TABLE "customer_emails" DROP CONSTRAINT "customer_emails_check";
ALTER TABLE "customer_emails"
    ADD CONSTRAINT "customer_emails_check" CHECK (
        "position" >= 0 AND "attempts" >= 0 AND length("answer") <= 1000
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8')))
        AND "reason" IN ('DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED', 'MAILBOX_LIMIT')) NOT VALID;

ALTER TABLE "customer_emails" DROP CONSTRAINT "customer_emails_state_check";
ALTER TABLE "customer_emails"
    ADD CONSTRAINT "customer_emails_state_check" CHECK (
        ("state" = 'QUEUED') = ("next_attempt_at" IS NOT NULL)
        AND ("state" = 'SENDING') = ("lease_until" IS NOT NULL)
        AND (("state" = 'NOT_SENT') = ("reason" IS NOT NULL) OR ("state" = 'QUEUED' AND "reason" = 'MAILBOX_LIMIT'))
        AND ("state" <> 'SENDING' OR "claim" IS NOT NULL)
        AND ("state" <> 'SENT' OR "sent_at" IS NOT NULL)
        AND ("state" <> 'QUEUED' OR "address" IS NOT NULL)) NOT VALID;

-- What a mailbox was sent, or may have been, since then, by the suppliers of an organisation. One organisation cannot use up
-- what another may send. `sam+1@` and `sam+2@` lead to one mailbox. With a snapshot
-- of its own: it sees what whoever held the row of "email_pace" until now has taken. The expression is that of
-- "customer_emails_mailbox_idx".
CREATE FUNCTION "emails_to_mailbox"("of_address" TEXT, "of_organisation" UUID, "since" TIMESTAMPTZ) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM "customer_emails"
        WHERE lower(regexp_replace("address", '[+][^@]*@', '@')) = lower(regexp_replace("of_address", '[+][^@]*@', '@'))
            AND "state" IN ('SENDING', 'SENT', 'IN_DOUBT')
            AND "updated_at" > "since"
            AND "import_supplier_code" IN (SELECT "code" FROM "import_suppliers" WHERE "organisation_id" = "of_organisation")
    );
END
$$;
