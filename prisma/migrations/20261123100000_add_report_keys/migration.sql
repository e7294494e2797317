-- The public keys of all keys that reports were ever signed with: a report of years ago can be verified, whichever secret
-- the service has now. "public_key" is that of Ed25519 in base64url, "id" its thumbprint (RFC 7638).
CREATE TABLE "report_keys" (
    "id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_keys_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "report_keys"
    ADD CONSTRAINT "report_keys_check" CHECK ("id" ~ '^[A-Za-z0-9_-]{43}$' AND "public_key" ~ '^[A-Za-z0-9_-]{43}$');
