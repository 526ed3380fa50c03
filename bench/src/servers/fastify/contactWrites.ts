import type { FastifyInstance } from "fastify"
import { randomBytes, randomUUID } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import { contactById } from "../../crm/statements.ts"
import { type Admit, type Admitted, isAdmitted, refuse } from "./admission.ts"
import { contactOf, contactSchema, type ContactRow } from "./contacts.ts"

interface Said {
  readonly name: string
  readonly phone: string
  readonly email?: string
  readonly locale?: string
  readonly tags?: ReadonlyArray<string>
}

const mayWrite = new Set(["owner", "admin", "agent"])

const details = {
  name: { type: "string", minLength: 1, maxLength: 200 },
  email: { type: "string", format: "email", maxLength: 254 },
  locale: { type: "string", maxLength: 35 },
  tags: { type: "array", maxItems: 50, items: { type: "string", format: "uuid" } }
} as const

const phone = { type: "string", pattern: "^\\+[1-9][0-9]{6,14}$" } as const

const newContact = {
  body: {
    type: "object",
    required: ["name", "phone"],
    additionalProperties: false,
    properties: { ...details, phone }
  },
  response: { 201: contactSchema }
} as const

const byPhone = {
  params: { type: "object", required: ["phone"], properties: { phone } },
  body: { type: "object", required: ["name"], additionalProperties: false, properties: details },
  response: { 200: contactSchema, 201: contactSchema }
} as const

const nextId = () => {
  const random = randomBytes(10).toString("hex")
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}

const wordsOf = (name: string) => [
  ...new Set(
    name
      .toLowerCase()
      .split(/[^\p{L}\p{M}]+/u)
      .filter((word) => word.length >= 3)
  )
]

/** Records of a change in its transaction: the audit entry and the event. */
const leaveTrace = async (
  client: PoolClient,
  { organizationId, userId }: Admitted,
  action: string,
  contactId: string,
  { before, data, after }: { readonly before: object | null; readonly after: object; readonly data: object }
) => {
  const now = new Date()
  await client.query({
    name: "audit",
    text: `INSERT INTO audit_events (organization_id, id, actor_kind, actor_id, action, target_kind, target_id, before,
        after, request_id, at) VALUES ($1, $2, 'user', $3, $4, 'contact', $5, $6, $7, $8, $9)`,
    values: [organizationId, nextId(), userId, action, contactId, before, after, randomUUID(), now]
  })
  await client.query({
    name: "event",
    text: `WITH head AS (
        INSERT INTO event_heads AS h (organization_id, head) VALUES ($1, 1)
        ON CONFLICT (organization_id) DO UPDATE SET head = h.head + 1 RETURNING head
      )
      INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, at)
      SELECT $1, head, $2, $3, 'user', $4, $5 FROM head`,
    values: [organizationId, action, { contactId, ...data }, userId, now]
  })
}

const read = async (client: PoolClient, organizationId: string, id: string) => {
  const { rows } = await client.query<ContactRow>({
    name: "contact",
    text: contactById("$1", "$2"),
    values: [organizationId, id]
  })
  return rows[0]
}

const addWords = (client: PoolClient, organizationId: string, name: string) =>
  client.query({
    name: "words",
    text: `INSERT INTO contact_search_words AS w (organization_id, word) SELECT $1, unnest($2::text[])
      ON CONFLICT (organization_id, word) DO UPDATE SET is_uncertain = false WHERE w.is_uncertain`,
    values: [organizationId, wordsOf(name)]
  })

/**
 * Adds a contact like Parley: identities, words of the name, tags, the row, tag assignments with counts, the count of contacts, the audit entry and
 * the event. `null` if the phone number is used.
 */
const add = async (client: PoolClient, admitted: Admitted, { email, locale, name, phone, tags = [] }: Said) => {
  const { organizationId } = admitted
  const id = nextId()
  const addedAt = new Date()
  const identities = [
    { kind: "phone", value: phone, source: "api", addedAt },
    ...(email === undefined ? [] : [{ kind: "email", value: email, source: "api", addedAt }])
  ]
  const claimed = await client.query({
    name: "identities",
    text: `INSERT INTO contact_identities (organization_id, kind, key, contact_id)
      SELECT $1, kind, key, $4 FROM unnest($2::text[], $3::text[]) AS claimed (kind, key)
      ON CONFLICT DO NOTHING`,
    values: [organizationId, identities.map(({ kind }) => kind), identities.map(({ value }) => value), id]
  })
  if (claimed.rowCount !== identities.length) return null
  await addWords(client, organizationId, name)
  if (tags.length > 0) {
    await client.query({
      name: "lock tags",
      text: `SELECT id FROM tags WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      values: [organizationId, tags]
    })
  }
  await client.query({
    name: "insert contact",
    text: `INSERT INTO contacts (organization_id, id, name, name_key, phone, email, identities, locale, attributes, tags,
        marketing, created_at, updated_at, version, search)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', $9, 'unknown', $10, $10, 1, $11)`,
    values: [
      organizationId,
      id,
      name,
      name.toLowerCase(),
      phone,
      email ?? null,
      JSON.stringify(identities),
      locale ?? null,
      tags,
      addedAt,
      [name.toLowerCase(), phone.slice(1), email].filter((part) => part !== undefined).join("\t")
    ]
  })
  if (tags.length > 0) {
    await client.query({
      name: "tag contact",
      text: `WITH linked AS (
          INSERT INTO contact_tags (organization_id, tag_id, contact_id) SELECT $1, unnest($3::uuid[]), $2 RETURNING tag_id
        )
        INSERT INTO tag_counts AS n (organization_id, tag_id, id, contacts)
        SELECT $1, tag_id, '00000000-0000-0000-0000-000000000000', 1 FROM linked
        ON CONFLICT (organization_id, tag_id, id) DO UPDATE SET contacts = n.contacts + 1`,
      values: [organizationId, id, tags]
    })
  }
  await client.query({
    name: "count contact",
    text: `INSERT INTO contact_counts AS c (organization_id, count) VALUES ($1, 1)
      ON CONFLICT (organization_id) DO UPDATE SET count = c.count + 1 RETURNING count`,
    values: [organizationId]
  })
  await leaveTrace(client, admitted, "contact.created", id, {
    before: null,
    after: { name, phone, email, identities, locale, tags, marketing: "unknown", blocked: false },
    data: {}
  })
  return read(client, organizationId, id)
}

const change = async (client: PoolClient, admitted: Admitted, id: string, input: Omit<Said, "phone">) => {
  const { organizationId } = admitted
  const { rows } = await client.query<ContactRow>({
    name: "take contact",
    text: `${contactById("$1", "$2")} FOR UPDATE OF c`,
    values: [organizationId, id]
  })
  const [before] = rows
  if (before === undefined) return undefined
  await addWords(client, organizationId, input.name)
  await client.query({
    name: "doubt words",
    text: `UPDATE contact_search_words SET is_uncertain = true WHERE organization_id = $1 AND word = ANY($2::text[])
      AND NOT is_uncertain`,
    values: [organizationId, wordsOf(before.name ?? "")]
  })
  await client.query({
    name: "change contact",
    text: `UPDATE contacts SET name = $3, name_key = $4, locale = COALESCE($5, locale), updated_at = $6,
        search = $7, version = version + 1 WHERE organization_id = $1 AND id = $2`,
    values: [
      organizationId,
      id,
      input.name,
      input.name.toLowerCase(),
      input.locale ?? null,
      new Date(),
      `${input.name.toLowerCase()}\t${before.phone?.slice(1) ?? ""}`
    ]
  })
  await leaveTrace(client, admitted, "contact.updated", id, {
    before: { name: before.name },
    after: { name: input.name },
    data: { fields: ["name"] }
  })
  return read(client, organizationId, id)
}

const transact = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await work(client)
    await client.query(result === null ? "ROLLBACK" : "COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

/** Adds contacts, and changes existing ones by phone number. */
export const contactWrites = (app: FastifyInstance, pool: Pool, admit: Admit) => {
  app.post<{ Body: Said }>("/api/v1/contacts", { schema: newContact }, async (request, reply) => {
    const admitted = await admit(request, reply, mayWrite)
    if (!isAdmitted(admitted)) return admitted
    const row = await transact(pool, (client) => add(client, admitted, request.body))
    return row == null ? refuse(reply, 409, "contact_exists") : reply.code(201).send(contactOf(row))
  })

  app.put<{ Params: { phone: string }; Body: Omit<Said, "phone"> }>(
    "/api/v1/contacts/by-phone/:phone",
    { schema: byPhone },
    async (request, reply) => {
      const admitted = await admit(request, reply, mayWrite)
      if (!isAdmitted(admitted)) return admitted
      const { phone } = request.params
      const done = await transact(pool, async (client) => {
        const { rows } = await client.query<{ contact_id: string }>({
          name: "known",
          text: `SELECT contact_id FROM contact_identities WHERE organization_id = $1 AND kind = 'phone' AND key = $2`,
          values: [admitted.organizationId, phone]
        })
        const [known] = rows
        const row =
          known === undefined
            ? await add(client, admitted, { ...request.body, phone })
            : await change(client, admitted, known.contact_id, request.body)
        return row == null ? null : { row, status: known === undefined ? 201 : 200 }
      })
      return done === null ? refuse(reply, 409, "contact_exists") : reply.code(done.status).send(contactOf(done.row))
    }
  )
}
