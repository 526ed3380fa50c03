import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What is pending in whichever way counts as one, so that putting recipients off changes no count.
const common = `organization_id, broadcast_id, coalesce(variant::text, '') AS variant,
  CASE status WHEN 'waiting' THEN 'pending' ELSE status END AS status,
  CASE status WHEN 'excluded' THEN coalesce(reason, '') WHEN 'failed' THEN coalesce(error ->> 'code', '') ELSE '' END AS cause`

const each = (rows: string, sign: 1 | -1) => `
  SELECT ${common}, ${sign} AS recipients, ${sign} * (replied_at IS NOT NULL)::integer AS replied,
    ${sign} * (opted_out_at IS NOT NULL)::integer AS opted_out
  FROM ${rows}`

const sums = (rows: string) => `
  SELECT organization_id, broadcast_id, variant, status, cause, sum(recipients)::integer AS recipients,
    sum(replied)::integer AS replied, sum(opted_out)::integer AS opted_out
  FROM (${rows}) AS r GROUP BY organization_id, broadcast_id, variant, status, cause`

const columns = "organization_id, broadcast_id, variant, status, cause, recipients, replied, opted_out"

// The statistics of a broadcast are locked before its tallies, whichever statement comes first.
const count = (rows: string) => `
  WITH deltas AS MATERIALIZED (
    SELECT * FROM (${sums(rows)}) AS s WHERE s.recipients <> 0 OR s.replied <> 0 OR s.opted_out <> 0
  ), locked AS MATERIALIZED (
    SELECT p.organization_id, p.broadcast_id FROM broadcast_progress AS p
    WHERE (p.organization_id, p.broadcast_id) IN (SELECT organization_id, broadcast_id FROM deltas)
    ORDER BY p.organization_id, p.broadcast_id FOR UPDATE
  )
  INSERT INTO broadcast_tallies AS t (${columns})
  SELECT d.organization_id, d.broadcast_id, d.variant, d.status, d.cause, d.recipients, d.replied, d.opted_out
  FROM deltas AS d JOIN locked AS l ON l.organization_id = d.organization_id AND l.broadcast_id = d.broadcast_id
  ON CONFLICT (organization_id, broadcast_id, variant, status, cause) DO UPDATE SET
    recipients = t.recipients + EXCLUDED.recipients, replied = t.replied + EXCLUDED.replied,
    opted_out = t.opted_out + EXCLUDED.opted_out`

/**
 * How many recipients of each broadcast have what in common, so that a report need not read them all. A trigger counts, so that no
 * statement that changes recipients can forget to; what is deleted stays counted.
 */
export const tallies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE broadcast_tallies (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      variant text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      cause text COLLATE "C" NOT NULL,
      recipients integer NOT NULL,
      replied integer NOT NULL,
      opted_out integer NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, variant, status, cause),
      CONSTRAINT broadcast_tallies_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`
  yield* sql`
    INSERT INTO broadcast_tallies (${sql.literal(columns)}) ${sql.literal(sums(each("broadcast_recipients", 1)))}`

  yield* sql`
    CREATE FUNCTION count_broadcast_recipients() RETURNS trigger LANGUAGE plpgsql AS $count$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${sql.literal(count(each("added", 1)))};
      ELSE ${sql.literal(count(`${each("added", 1)} UNION ALL ${each("removed", -1)}`))};
      END IF;
      RETURN NULL;
    END
    $count$`
  yield* sql`
    CREATE TRIGGER count_added AFTER INSERT ON broadcast_recipients REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients()`
  yield* sql`
    CREATE TRIGGER count_changed AFTER UPDATE ON broadcast_recipients REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_recipients()`

  // Parts of names, as those of contacts are found.
  yield* sql`CREATE INDEX broadcasts_by_name ON broadcasts USING gin (organization_id, name_key gin_trgm_ops)`
})
