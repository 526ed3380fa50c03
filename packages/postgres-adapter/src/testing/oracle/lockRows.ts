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

const keeping = "parley.keeping"

const guardTwin = `
  CREATE FUNCTION parley_guard_twin() RETURNS trigger LANGUAGE plpgsql AS $guard$
  BEGIN
    IF current_setting('${keeping}', true) = 'twins' THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'A statement changes a row of % that belongs to another organization', TG_TABLE_NAME;
  END
  $guard$`

/**
 * How a statement is planned whatever its values are: they are named by their places. Before PostgreSQL 17 a plan names what is
 * computed on the way in the same manner, so that it does not tell.
 */
const planAny = `
  CREATE FUNCTION parley_plan_any(statement text) RETURNS json LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = public
  AS $any$
  DECLARE
    plan json;
  BEGIN
    IF current_setting('server_version_num')::integer >= 170000 THEN
      EXECUTE 'EXPLAIN (GENERIC_PLAN, FORMAT JSON) ' || statement INTO plan;
    END IF;
    RETURN plan;
  EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
  END
  $any$`

// Roles belong to the whole server, so other test databases may be making this one at the same moment.
const makeRole = `
  DO $$
  BEGIN
    CREATE ROLE ${oracleRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END
  $$`

const columnsWhere = (condition: string, shown: string) => `
  (SELECT string_agg(${shown}, ', ' ORDER BY a.attnum) FROM pg_attribute AS a
    WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND ${condition})`

const identity = "a.attnum = ANY(p.indkey)"
const written = "a.attgenerated = ''"

const name = "quote_ident(a.attname)"

/** What a twin has in a column. */
const ofTwin = `
  CASE
    WHEN a.attnum = k.attnum
      THEN format($twin$${twinOf("NEW.%I::text")}::%s$twin$, a.attname, format_type(a.atttypid, a.atttypmod))
    WHEN t.relname = 'organizations' AND a.attname = 'slug' THEN $twin$NEW.slug || '-twin'$twin$
    ELSE format('NEW.%I', a.attname)
  END`

/**
 * Has foreign keys pass over twins: one may stay when the row that its original refers to has gone. No statement says so of a
 * constraint, and to work as a replica for a moment, where nothing is checked, makes the server forget all of its plans.
 */
const passOverTwins = (row: "NEW" | "OLD", checks: string) => `
      EXECUTE format($trigger$
        CREATE TRIGGER original AFTER UPDATE ON %s FOR EACH ROW WHEN (NOT ${isTwin(`${row}.%2$I::text`)})
        EXECUTE FUNCTION parley_guard_twin()$trigger$, tenant.name, tenant.key);
      UPDATE pg_trigger AS checked SET tgqual = original.tgqual FROM pg_trigger AS original
        WHERE original.tgrelid = tenant.name AND original.tgname = 'original'
          AND checked.tgrelid = tenant.name AND checked.tgisinternal
          AND (SELECT proname FROM pg_proc WHERE oid = checked.tgfoid) ~ '^RI_FKey_(?:${checks})$';
      EXECUTE format('DROP TRIGGER original ON %s', tenant.name);`

const lockTables = `
  DO $$
  DECLARE
    tenant record;
  BEGIN
    FOR tenant IN
      SELECT t.oid::regclass AS name, k.attname AS key, NOT t.relispartition AS "isWhole",
        'parley_keep_twin_' || t.relname AS keeper,
        ${columnsWhere(identity, name)} AS identity, ${columnsWhere(identity, ofTwin)} AS "twinIdentity",
        ${columnsWhere(written, name)} AS written, ${columnsWhere(written, ofTwin)} AS "twinWritten"
      FROM pg_class AS t
      JOIN pg_attribute AS k ON k.attrelid = t.oid AND NOT k.attisdropped
        AND k.attname = CASE t.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
      JOIN pg_index AS p ON p.indrelid = t.oid AND p.indisprimary
      WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
    LOOP
      ${passOverTwins("NEW", "check_(?:ins|upd)")}
      ${passOverTwins("OLD", "(?:cascade|noaction|restrict|setdefault|setnull)_(?:del|upd)")}
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
        EXECUTE format($function$
          CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET ${keeping} = 'twins' AS $keep$
          BEGIN
            DELETE FROM %s WHERE (%s) = (%s);
            INSERT INTO %2$s (%5$s) OVERRIDING SYSTEM VALUE VALUES (%6$s) ON CONFLICT DO NOTHING;
            RETURN NULL;
          END
          $keep$
          $function$,
          tenant.keeper, tenant.name, tenant.identity, tenant."twinIdentity", tenant.written, tenant."twinWritten");
        EXECUTE format($trigger$
          CREATE TRIGGER keep_twin AFTER INSERT OR UPDATE ON %s FOR EACH ROW WHEN (NOT ${isTwin("NEW.%2$I::text")})
          EXECUTE FUNCTION %3$I()$trigger$, tenant.name, tenant.key, tenant.keeper);
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

const steps = [makeRole, guardTwin, planAny, lockTables]

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
