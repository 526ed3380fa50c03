import type { ContactId, WorkflowId } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A second represents a minute, which shortens the run. */
const hurry = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION chaos_hurry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.graph := jsonb_set(NEW.graph::jsonb, '{nodes}', (
        SELECT jsonb_agg(node || coalesce((
          SELECT jsonb_object_agg(key, value::integer / 60) FROM jsonb_each_text(node) WHERE key IN ('seconds', 'timeoutSeconds')), '{}')
          ORDER BY place)
        FROM jsonb_array_elements(NEW.graph::jsonb -> 'nodes') WITH ORDINALITY AS nodes (node, place)));
      RETURN NEW;
    END $$`
  yield* sql`
    CREATE TRIGGER chaos_hurry BEFORE INSERT ON workflow_versions FOR EACH ROW EXECUTE FUNCTION chaos_hurry()`
})

/**
 * The database itself records each change of a run, each read of the log and each logged event: a history without the
 * service. A second represents a minute.
 */
export const watch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* hurry
  yield* sql`ALTER TABLE events ADD COLUMN logged_at timestamptz DEFAULT clock_timestamp()`
  yield* sql`
    CREATE TABLE chaos_moves (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization_id uuid, run_id uuid, workflow_id uuid, version integer,
      revision integer, contact_id uuid, state text, reason text, node text, wake_at timestamptz, since bigint, begun_by bigint,
      event_position bigint, ended_at timestamptz, at timestamptz, xid xid8)`
  yield* sql`
    CREATE FUNCTION chaos_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO chaos_moves (organization_id, run_id, workflow_id, version, revision, contact_id, state, reason, node, wake_at, since,
        begun_by, event_position, ended_at, at, xid)
      VALUES (NEW.organization_id, NEW.id, NEW.workflow_id, NEW.workflow_version, NEW.revision, NEW.contact_id, NEW.state, NEW.reason,
        NEW.node, NEW.wake_at, (NEW.progress ->> 'since')::bigint, (NEW.progress ->> 'from')::bigint, NEW.event_position, NEW.ended_at,
        clock_timestamp(), pg_current_xact_id());
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER chaos_move AFTER INSERT OR UPDATE ON workflow_runs FOR EACH ROW EXECUTE FUNCTION chaos_move()`
  yield* sql`
    CREATE TABLE chaos_follows (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization_id uuid, position bigint, at timestamptz, xid xid8)`
  yield* sql`
    CREATE FUNCTION chaos_follow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO chaos_follows (organization_id, position, at, xid)
      VALUES (NEW.organization_id, NEW.position, clock_timestamp(), pg_current_xact_id());
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER chaos_follow AFTER INSERT OR UPDATE ON event_cursors FOR EACH ROW
    WHEN (NEW.consumer = 'workflows.follow_contacts') EXECUTE FUNCTION chaos_follow()`
})

/** A change of a run, as the database saw it. Times are milliseconds since 1970. */
export interface Move {
  readonly organizationId: string
  readonly runId: string
  readonly workflowId: WorkflowId
  readonly version: number
  readonly revision: number
  readonly contactId: ContactId
  readonly state: string
  readonly reason: string | null
  readonly node: string | null
  readonly wakeAt: number | null
  readonly since: number
  readonly begunBy: number
  readonly eventPosition: number | null
  readonly isOver: boolean
  readonly at: number
  readonly xid: string
}

/** When the log of an organization was followed up to there. */
export interface Follow {
  readonly organizationId: string
  readonly position: number
  readonly at: number
  readonly xid: string
}

/** An event about a contact. `at` is its own time, `loggedAt` the time in the database. */
export interface Happening {
  readonly organizationId: string
  readonly position: number
  readonly type: string
  readonly contactId: string | null
  readonly tagIds: ReadonlyArray<string>
  readonly runId: string | null
  readonly at: number
  readonly loggedAt: number
}

/** A stored step. */
export interface Step {
  readonly organizationId: string
  readonly runId: string
  readonly place: number
  readonly node: string
  readonly state: string
  readonly effectKind: string | null
  readonly effectId: string | null
  readonly errorCode: string | null
  readonly at: number
}

/** The output of an action: a note, or a message. */
export interface Written {
  readonly organizationId: string
  readonly kind: "note" | "message"
  readonly id: string
  readonly contactId: string
  readonly text: string
  readonly status: string
}

/** A version of a workflow, by the name of its first node. */
export interface Version {
  readonly workflowId: string
  readonly number: number
  readonly nodes: ReadonlyArray<string>
}

/** Everything that is there in the end. */
export const readFound = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const millis = (column: string) => sql.literal(`(extract(epoch FROM ${column}) * 1000)::float8`)
  const moves = yield* sql<Move>`
    SELECT organization_id AS "organizationId", run_id AS "runId", workflow_id AS "workflowId", version, revision,
      contact_id AS "contactId", state, reason, node, ${millis("wake_at")} AS "wakeAt", since::float8, begun_by::float8 AS "begunBy",
      event_position::float8 AS "eventPosition", ended_at IS NOT NULL AS "isOver", ${millis("at")} AS at, xid::text
    FROM chaos_moves ORDER BY number`
  const follows = yield* sql<Follow>`
    SELECT organization_id AS "organizationId", position::float8, ${millis("at")} AS at, xid::text FROM chaos_follows ORDER BY number`
  const happenings = yield* sql<Happening>`
    SELECT organization_id AS "organizationId", position::float8, type, data ->> 'contactId' AS "contactId",
      coalesce(data -> 'tagIds', '[]') AS "tagIds", data ->> 'runId' AS "runId", ${millis("at")} AS at, ${millis("logged_at")} AS "loggedAt"
    FROM events
    WHERE type IN ('contact.created', 'contact.tagged', 'message.received', 'workflow.run_started', 'workflow.run_ended')
    ORDER BY organization_id, events.position`
  const steps = yield* sql<Step>`
    SELECT organization_id AS "organizationId", run_id AS "runId", position AS place, node, state, effect ->> 'kind' AS "effectKind",
      effect ->> 'id' AS "effectId", error ->> 'code' AS "errorCode", ${millis("at")} AS at
    FROM workflow_run_steps ORDER BY organization_id, run_id, position`
  const written = yield* sql<Written>`
    SELECT n.organization_id AS "organizationId", 'note' AS kind, n.id, c.contact_id AS "contactId", n.text, 'written' AS status
    FROM notes AS n JOIN conversations AS c ON c.organization_id = n.organization_id AND c.id = n.conversation_id
    UNION ALL
    SELECT m.organization_id, 'message', m.id, c.contact_id, m.text, m.status
    FROM messages AS m JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
    WHERE m.direction = 'outbound'`
  const versions = yield* sql<Version>`
    SELECT workflow_id AS "workflowId", number, (SELECT json_agg(n ->> 'id') FROM json_array_elements(graph -> 'nodes') AS n) AS nodes
    FROM workflow_versions`
  return { moves, follows, happenings, steps, written, versions }
})
export type Found = Effect.Success<typeof readFound>

/** Remaining work: unprocessed events, live runs, and waiting messages. */
export const left = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly unread: number
    readonly live: number
    readonly sends: number
    readonly deliveries: number
  }>`
    SELECT
      (SELECT count(*) FROM event_cursors AS s JOIN events AS e ON e.organization_id = s.organization_id AND e.position > s.position
        WHERE s.consumer = 'workflows.follow_contacts'
          AND e.type IN ('contact.created', 'contact.tagged', 'message.received'))::integer AS unread,
      (SELECT count(*) FROM workflow_runs WHERE ended_at IS NULL)::integer AS live,
      (SELECT count(*) FROM send_queue)::integer AS sends,
      (SELECT count(*) FROM inbound_deliveries WHERE state = 'waiting')::integer AS deliveries`
  return row ?? { unread: 0, live: 0, sends: 0, deliveries: 0 }
})

/** Overall progress. A repeated check without a change is no progress. */
export const howFar = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly steps: number; readonly ended: number }>`
    SELECT (SELECT count(*) FROM workflow_run_steps)::integer AS steps,
      (SELECT count(*) FROM workflow_runs WHERE ended_at IS NOT NULL)::integer AS ended`
  return { ...(yield* left), ...row }
})
