import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { elsewhere, everywhere, oracleRole, outside } from "./scopes.ts"

/**
 * The organization of a twin: the same id, but for the digit that says which version of UUID it is. No id that Parley
 * makes looks so.
 */
const twinOf = (id: string) => `overlay(${id} PLACING 'f' FROM 15 FOR 1)`
const isTwin = (id: string) => `substr(${id}, 15, 1) = 'f'`

// Without checks of foreign keys: a twin may stay when the row that its original refers to has gone.
const keepTwin = `
  CREATE FUNCTION parley_keep_twin() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = public SET session_replication_role = replica
  AS $keep$
  DECLARE
    key text := TG_ARGV[0];
    twin jsonb := to_jsonb(NEW) || jsonb_build_object(key, ${twinOf("to_jsonb(NEW) ->> key")});
  BEGIN
    IF TG_TABLE_NAME = 'organizations' THEN
      twin := twin || jsonb_build_object('slug', twin ->> 'slug' || '-twin');
    END IF;
    EXECUTE format('DELETE FROM %s WHERE (%s) = (SELECT %2$s FROM jsonb_populate_record(NULL::%1$s, $1))',
      TG_RELID::regclass, TG_ARGV[1]) USING twin;
    EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE
      SELECT %2$s FROM jsonb_populate_record(NULL::%1$s, $1) ON CONFLICT DO NOTHING',
      TG_RELID::regclass, TG_ARGV[2]) USING twin;
    RETURN NULL;
  END
  $keep$`

const guardTwin = `
  CREATE FUNCTION parley_guard_twin() RETURNS trigger LANGUAGE plpgsql AS $guard$
  BEGIN
    RAISE EXCEPTION 'A statement changes a row of % that belongs to another organization', TG_TABLE_NAME;
  END
  $guard$`

// Roles belong to the whole server, so other test databases may be making this one at the same moment.
const makeRole = `
  DO $$
  BEGIN
    CREATE ROLE ${oracleRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END
  $$`

const columnsWhere = (condition: string) => `
  (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute AS a
    WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND ${condition})`

const lockTables = `
  DO $$
  DECLARE
    tenant record;
  BEGIN
    FOR tenant IN
      SELECT t.oid::regclass AS name, k.attname AS key, NOT t.relispartition AS "isWhole",
        ${columnsWhere("a.attnum = ANY(p.indkey)")} AS identity, ${columnsWhere("a.attgenerated = ''")} AS written
      FROM pg_class AS t
      JOIN pg_attribute AS k ON k.attrelid = t.oid AND NOT k.attisdropped
        AND k.attname = CASE t.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
      JOIN pg_index AS p ON p.indrelid = t.oid AND p.indisprimary
      WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
    LOOP
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tenant.name);
      EXECUTE format($policy$
        CREATE POLICY tenant ON %s USING (
          CASE current_setting('parley.organization', true)
            WHEN '${everywhere}' THEN true
            WHEN '${outside}' THEN NOT ${isTwin("%2$I::text")}
            ELSE CASE
              WHEN starts_with(current_setting('parley.organization', true), '${elsewhere("")}')
              THEN current_setting('parley.organization', true) <> '${elsewhere("")}' || %2$I::text
              ELSE current_setting('parley.organization', true) = %2$I::text
            END
          END
        )$policy$, tenant.name, tenant.key);
      IF tenant."isWhole" THEN
        EXECUTE format($trigger$
          CREATE TRIGGER keep_twin AFTER INSERT OR UPDATE ON %s FOR EACH ROW
          EXECUTE FUNCTION parley_keep_twin(%L, %L, %L)$trigger$,
          tenant.name, tenant.key, tenant.identity, tenant.written);
        EXECUTE format($trigger$
          CREATE TRIGGER guard_twin BEFORE UPDATE OR DELETE ON %s FOR EACH ROW WHEN (${isTwin("OLD.%2$I::text")})
          EXECUTE FUNCTION parley_guard_twin()$trigger$, tenant.name, tenant.key);
      END IF;
    END LOOP;
    GRANT USAGE ON SCHEMA public TO ${oracleRole};
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${oracleRole};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${oracleRole};
  END
  $$`

const steps = [makeRole, keepTwin, guardTwin, lockTables]

/** Differs whenever the locks do, so that what was prepared with other locks is not used. */
export const locksFingerprint = createHash("sha256").update(steps.join()).digest("hex").slice(0, 16)

/**
 * Makes the database the oracle's, whichever tables it has. In every table that belongs to tenants the rows are locked,
 * so that a statement reaches those of the declared scope only; and every row has a twin, the same in everything but
 * its organization, for a statement that does not ask whose a row is to stumble over.
 */
export const lockRows = (sql: SqlClient.SqlClient) =>
  Effect.forEach(steps, (step) => sql`${sql.literal(step)}`, { discard: true })

/** The names of the tables whose rows are locked. */
export const lockedTables = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT relname::text AS name FROM pg_class
      WHERE relforcerowsecurity AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    (tables) => tables.map(({ name }) => name)
  )
