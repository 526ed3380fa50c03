import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import { contactById, contactsPage } from "../../crm/statements.ts"
import { type Admit, isAdmitted, refuse, uuid } from "./admission.ts"

/** A row of contacts. */
export interface ContactRow {
  readonly id: string
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly identities: ReadonlyArray<{ kind: string; value: string; source: string; addedAt: string }>
  readonly locale: string | null
  readonly timezone: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly tags: ReadonlyArray<string>
  readonly marketing: string
  readonly consentSource: string | null
  readonly consentChangedAt: Date | null
  readonly blockedAt: Date | null
  readonly lastSeenAt: Date | null
  readonly lastInboundAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const text = { type: "string" } as const
const textOrNull = { type: ["string", "null"] } as const
const time = { type: "string", format: "date-time" } as const
const timeOrNull = { type: ["string", "null"], format: "date-time" } as const

/** A contact in answers. */
export const contactSchema = {
  type: "object",
  properties: {
    id: text,
    name: textOrNull,
    phone: textOrNull,
    email: textOrNull,
    identities: {
      type: "array",
      items: { type: "object", properties: { kind: text, value: text, source: text, addedAt: text } }
    },
    locale: textOrNull,
    timezone: textOrNull,
    attributes: { type: "object", additionalProperties: true },
    tags: { type: "array", items: text },
    consent: {
      type: "object",
      properties: { marketing: text, source: textOrNull, changedAt: timeOrNull }
    },
    blockedAt: timeOrNull,
    lastSeenAt: timeOrNull,
    lastInboundAt: timeOrNull,
    createdAt: time,
    updatedAt: time,
    version: { type: "integer" }
  }
} as const

/** The answer for a row. */
export const contactOf = ({ consentChangedAt, consentSource, marketing, ...row }: ContactRow) => ({
  ...row,
  consent: { marketing, source: consentSource, changedAt: consentChangedAt }
})

const mayRead = new Set(["owner", "admin", "agent", "viewer"])

const one = {
  params: { type: "object", required: ["id"], properties: { id: { type: "string", pattern: uuid } } },
  response: { 200: contactSchema }
} as const

const page = {
  querystring: {
    type: "object",
    properties: { limit: { type: "integer", minimum: 1, maximum: 100 }, cursor: { type: "string", pattern: uuid } }
  },
  response: {
    200: {
      type: "object",
      properties: { data: { type: "array", items: contactSchema }, nextCursor: textOrNull }
    }
  }
} as const

const last = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** The reads of contacts. */
export const contacts = (app: FastifyInstance, pool: Pool, admit: Admit) => {
  app.get<{ Params: { id: string } }>("/api/v1/contacts/:id", { schema: one }, async (request, reply) => {
    const admitted = await admit(request, reply, mayRead)
    if (!isAdmitted(admitted)) return admitted
    const { rows } = await pool.query<ContactRow>({
      name: "contact",
      text: contactById("$1", "$2"),
      values: [admitted.organizationId, request.params.id]
    })
    return rows[0] === undefined ? refuse(reply, 404, "not_found") : contactOf(rows[0])
  })

  app.get<{ Querystring: { limit?: number; cursor?: string } }>(
    "/api/v1/contacts",
    { schema: page },
    async (request, reply) => {
      const admitted = await admit(request, reply, mayRead)
      if (!isAdmitted(admitted)) return admitted
      const { cursor = last, limit = 50 } = request.query
      const { rows } = await pool.query<ContactRow>({
        name: "contacts",
        text: contactsPage("$1", "$2", "$3"),
        values: [admitted.organizationId, cursor, limit + 1]
      })
      const data = rows.slice(0, limit)
      return { data: data.map(contactOf), nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
    }
  )
}
