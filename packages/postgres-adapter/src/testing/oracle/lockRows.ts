import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { elsewhere, everywhere, oracleRole, outside } from "./scopes.ts"

/** Organization of a twin row: the same id with another UUID version digit. Parley creates no such ids. */
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
 * Explains a statement for all values: parameters are named by position. Before PostgreSQL 17 a plan names computed values in the same way, so it is
 * ambiguous.
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

// Roles belong to the whole server. Other test databases can create this one concurrently.
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

/** Column value of a twin row. */
const ofTwin = `
  CASE
    WHEN a.attnum = k.attnum
      THEN format($twin$${twinOf("NEW.%I::text")}::%s$twin$, a.attname, format_type(a.atttypid, a.atttypmod))
    WHEN t.relname = 'organizations' AND a.attname = 'slug' THEN $twin$NEW.slug || '-twin'$twin$
    ELSE format('NEW.%I', a.attname)
  END`

/**
 * Exempts twin rows from foreign keys: a twin can stay when the row that its original references is deleted. A constraint cannot express this. The
 * replica role, which skips checks, would make the server discard all its plans.
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

/** Changes with the locks, so databases prepared with other locks are not reused. */
export const locksFingerprint = createHash("sha256").update(steps.join()).digest("hex").slice(0, 16)

/**
 * Prepares the database for the oracle, for all its tables. Row locks limit a statement to the declared scope in every tenant table. Every row has a
 * twin that differs only in the organization. A statement without an organization condition reaches the twin.
 */
export const lockRows = (sql: SqlClient.SqlClient) =>
  Effect.forEach(steps, (step) => sql`${sql.literal(step)}`, { discard: true })

/** Names of the tables with locked rows. */
export const lockedTables = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT relname::text AS name FROM pg_class
      WHERE relforcerowsecurity AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    (tables) => tables.map(({ name }) => name)
  )
