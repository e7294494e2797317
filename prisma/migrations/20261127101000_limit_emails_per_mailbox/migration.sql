-- An e-mail that would be one too many for its mailbox is not sent (behaviour 29.3.10).
ALTER TABLE "customer_emails" DROP CONSTRAINT "customer_emails_check";
ALTER TABLE "customer_emails"
    ADD CONSTRAINT "customer_emails_check" CHECK (
        "position" >= 0 AND "attempts" >= 0 AND length("answer") <= 1000
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8')))
        AND "reason" IN ('DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED', 'MAILBOX_LIMIT')) NOT VALID;

-- What a mailbox was sent, or may have been, since then, by all suppliers: `sam+1@` and `sam+2@` lead to one. With a snapshot
-- of its own: it sees what whoever held the row of "email_pace" until now has taken. The expression is that of
-- "customer_emails_mailbox_idx".
CREATE FUNCTION "emails_to_mailbox"("of_address" TEXT, "since" TIMESTAMPTZ) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM "customer_emails"
        WHERE lower(regexp_replace("address", '[+][^@]*@', '@')) = lower(regexp_replace("of_address", '[+][^@]*@', '@'))
            AND "state" IN ('SENDING', 'SENT', 'IN_DOUBT')
            AND "updated_at" > "since"
    );
END
$$;
