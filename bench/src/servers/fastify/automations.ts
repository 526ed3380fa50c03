import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import { type Admit, isAdmitted, refuse, uuid } from "./admission.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const mayRead = new Set(["owner", "admin", "agent", "viewer"])

const automation = {
  type: "object",
  required: ["id", "name", "enabled", "createdAt", "updatedAt", "version"],
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    enabled: { type: "boolean" },
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
      text: `SELECT id, name, enabled, created_at AS "createdAt", updated_at AS "updatedAt", version FROM automations
        WHERE organization_id = $1 AND id = $2`,
      values: [admitted.organizationId, request.params.id]
    })
    return rows[0] ?? refuse(reply, 404, "not_found")
  })
