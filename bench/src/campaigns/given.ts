import {
  Broadcast,
  BroadcastId,
  Broadcasts,
  ChatAccount,
  ChatAccountId,
  ChatAccounts,
  CurrentActor,
  CurrentOrganization,
  toDraft,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplates,
  nextId,
  OrganizationId,
  transact,
  Vault
} from "@parley/domain"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Line } from "../chat/provider.ts"

/** Does it for an organization, as an operator. */
export const within =
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
    )

/** A number that sends broadcasts, with the messages to send. */
export interface Sender {
  readonly line: Line
  readonly accountId: ChatAccountId
  readonly templateId: MessageTemplateId
}

/** A number that is connected, and a template that is approved: as they are stored, for a provider that knows of neither. */
export const givenSender = (line: Line, throughputPerSecond: number) =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    const vault = yield* Vault
    const id = yield* nextId(ChatAccountId)
    const seal = (name: string, secret: string) =>
      vault.seal(`chat_account/${line.organizationId}/${id}/${name}`, Redacted.make(secret))
    const account = new ChatAccount({
      id,
      provider: "whatsapp",
      mode: "own_app",
      displayName: "Bench",
      phone: `+${line.displayPhone}`,
      externalAccountId: line.businessId,
      externalPhoneId: line.phoneId,
      url: null,
      status: "connected",
      qualityRating: "green",
      messagingLimit: null,
      throughputPerSecond,
      lastCheckedAt: now,
      lastError: null,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    const secrets = {
      accessToken: yield* seal("access_token", line.accessToken),
      appSecret: yield* seal("app_secret", line.appSecret),
      formerAppSecret: null,
      verifyToken: yield* seal("verify_token", "verify"),
      pin: null,
      pendingPin: null
    }
    const templateId = yield* nextId(MessageTemplateId)
    const template = new MessageTemplate({
      id: templateId,
      chatAccountId: id,
      name: "spring",
      language: "en",
      category: "marketing",
      components: { body: { text: "Hello {{1}}, spring is here.", examples: { "1": "Ada" } } },
      variables: [{ key: "body.1", in: "body", kind: "text" }],
      status: "approved",
      rejectionReason: null,
      quality: "green",
      externalId: "500000000000001",
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* transact(
      Effect.gen(function* () {
        yield* (yield* ChatAccounts).insert(account, secrets)
        yield* (yield* MessageTemplates).insert(template)
      })
    )
    return { line, accountId: id, templateId } satisfies Sender
  }).pipe(within(line.organizationId))

const atOnce = 250_000

/** The contact with this number of an organization, which has a place too. */
const contactId = "'00000000-0000-7000-8' || lpad(to_hex(place), 3, '0') || '-' || lpad(to_hex(n), 12, '0')"

/** This number of people of an organization with marketing consent. */
export const givenReaders = Effect.fnUntraced(function* (place: number, { organizationId }: Line, count: number) {
  const sql = yield* SqlClient.SqlClient
  for (let from = 0; from < count; from += atOnce) {
    yield* sql`
      WITH known AS (
        INSERT INTO contacts (organization_id, id, name, name_key, phone, identities, attributes, tags, marketing,
          consent_source, consent_changed_at, created_at, updated_at, version, search)
        SELECT ${organizationId}, (${sql.literal(contactId)})::uuid, 'Reader ' || n, 'reader ' || n, phone,
          jsonb_build_array(jsonb_build_object('kind', 'phone', 'value', phone, 'source', 'import',
            'addedAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}', '{}', 'subscribed',
          'import', at, at, at, 1, 'reader ' || n || chr(9) || substr(phone, 2)
        FROM (
          SELECT n, ${place}::integer AS place, '+49151' || lpad(n::text, 8, '0') AS phone,
            date_trunc('milliseconds', now()) AS at
          FROM generate_series(${from}::integer, ${Math.min(from + atOnce, count) - 1}::integer) AS n
        ) AS drawn
        RETURNING organization_id, id, phone
      )
      INSERT INTO contact_identities (organization_id, kind, key, contact_id)
      SELECT organization_id, 'phone', phone, id FROM known`.unprepared
  }
  yield* sql`
    INSERT INTO contact_counts (organization_id, count) VALUES (${organizationId}, ${count})
    ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count`
})

/** A broadcast to all contacts of the organization. With `isListed` the list has all of them already, and `listed` limits it. */
export const givenBroadcast = ({ accountId, line, templateId }: Sender, place: number, listed: number | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* DateTime.now
    const id = yield* nextId(BroadcastId)
    const input = {
      name: "Spring",
      chatAccountId: accountId,
      templateId,
      variables: { "body.1": { kind: "field", field: "name" } },
      audience: {}
    } as const
    const draft = toDraft(id, input, now, { kind: "operator", name: "bench" })
    const broadcast = new Broadcast({ ...draft, frozenAt: listed === null ? null : now })
    yield* transact(Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.insert(broadcast)))
    if (listed === null) return id
    yield* sql`
      INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, status)
      SELECT ${line.organizationId}, ${id}, n + 1, (${sql.literal(contactId)})::uuid, 'phone',
        '+49151' || lpad(n::text, 8, '0'), 'pending'
      FROM generate_series(0, ${listed - 1}::integer) AS n, (SELECT ${place}::integer AS place) AS own`.unprepared
    yield* sql`
      UPDATE broadcast_progress SET matched = ${listed}, pending = ${listed}, list_size = ${listed}
      WHERE organization_id = ${line.organizationId} AND broadcast_id = ${id}`
    return id
  }).pipe(within(line.organizationId))
