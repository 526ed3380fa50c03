import { TagRemains } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"
import { words } from "./words.ts"

export const layer = Layer.effect(
  TagRemains,
  Effect.map(SqlClient.SqlClient, (sql) =>
    TagRemains.of({
      sweep: Effect.gen(function* () {
        // The contacts that somebody changes right now are left for the next time; the tag stays noted until none is.
        const removed = yield* sweepInBatches(
          (most) => sql`
            WITH remains AS MATERIALIZED (
              SELECT t.organization_id, t.tag_id, t.contact_id FROM removed_tags AS r
              JOIN contact_tags AS t ON t.organization_id = r.organization_id AND t.tag_id = r.id
              ORDER BY t.organization_id, t.contact_id LIMIT ${most}
            ), locked AS MATERIALIZED (
              SELECT c.organization_id, c.id FROM contacts AS c
              JOIN (SELECT DISTINCT organization_id, contact_id FROM remains) AS r
                ON c.organization_id = r.organization_id AND c.id = r.contact_id
              ORDER BY c.organization_id, c.id FOR UPDATE OF c
            ), swept AS (
              DELETE FROM contact_tags AS t USING remains AS r
              WHERE t.organization_id = r.organization_id AND t.tag_id = r.tag_id AND t.contact_id = r.contact_id
              RETURNING t.organization_id, t.tag_id, t.contact_id
            ), cleared AS (
              UPDATE contacts AS c SET tags = ARRAY(
                SELECT tag FROM unnest(c.tags) AS tag WHERE tag <> ALL(s.tags) ORDER BY tag)
              FROM (SELECT organization_id, contact_id, array_agg(tag_id) AS tags FROM swept GROUP BY 1, 2) AS s
              JOIN locked AS l ON l.organization_id = s.organization_id AND l.id = s.contact_id
              WHERE c.organization_id = s.organization_id AND c.id = s.contact_id
            )
            SELECT 1 FROM swept`
        )
        yield* sql`
          DELETE FROM removed_tags AS r WHERE NOT EXISTS (
            SELECT FROM contact_tags AS t WHERE t.organization_id = r.organization_id AND t.tag_id = r.id)`
        yield* words(sql).sweep
        return removed
      }).pipe(driverFailuresDie)
    })
  )
)
