import type { OrganizationId } from "@parley/domain/kernel"
import {
  ChatAccountExists,
  type ChatAccount,
  type ChatAccountId,
  ChatAccounts,
  type ChatSecrets,
  NumberConnectedElsewhere,
  sendTaskName,
  templateSyncTaskName
} from "@parley/domain/messaging"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { versions } from "../../crm/versions.ts"
import { aboveTenants } from "../../kernel/aboveTenants.ts"
import { advisoryKey } from "../../kernel/advisoryKey.ts"
import { Notifications } from "../../platform/events/Notifications.ts"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { isOneOf } from "../../kernel/isOneOf.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"
import { openLanes } from "../../platform/background/openLanes.ts"
import {
  accountColumns,
  accountOf,
  type AccountRow,
  encodeOnboarding,
  secretColumns,
  secretsOf,
  type SecretRow
} from "./chatAccountRow.ts"

export const layer = Layer.effect(
  ChatAccounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const open = openLanes(sql, yield* Notifications)
    const columns = sql.literal(accountColumns)
    const isConnected = sql.literal("removed_at IS NULL")
    const { conflict, ifVersion, notFound } = versions(sql, "chat_accounts", "chat account", isConnected)

    const accountsWhere = Effect.fnUntraced(function* (organization: Organization, condition: Statement.Fragment) {
      const rows = yield* sql<AccountRow>`
        SELECT ${columns} FROM chat_accounts
        WHERE organization_id = ${organization.id} AND ${isConnected} AND ${condition} ORDER BY id`
      return rows.map(accountOf)
    })

    const secretsWhere = Effect.fnUntraced(function* (organizationId: string, condition: Statement.Fragment) {
      const rows = yield* sql<SecretRow>`
        SELECT ${sql.literal(secretColumns)} FROM chat_accounts
        WHERE organization_id = ${organizationId} AND ${isConnected} AND ${condition} ORDER BY id`
      return rows.map(secretsOf)
    })

    // A provider can deliver thousands of times a second, and these secrets verify each delivery.
    const ownAppSecretsOf = yield* recent.remember((organizationId) =>
      Effect.map(secretsWhere(organizationId, sql`mode = 'own_app'`), (found) => (found.length === 0 ? null : found))
    )

    // An index cannot enforce this, because it would cover all organizations. Concurrent connections of the same number wait for each other.
    const claimNumber = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      { externalPhoneId, provider }: ChatAccount
    ) {
      yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "platformNumber", `${provider} ${externalPhoneId}`)})`
      // A separate statement: its snapshot must be younger than the lock.
      const others = yield* aboveTenants(sql`
        SELECT 1 FROM chat_accounts WHERE external_phone_id = ${externalPhoneId} AND provider = ${provider} AND mode = 'platform_app'
          AND ${isConnected} AND organization_id <> ${organizationId} LIMIT 1`)
      if (others.length > 0) return yield* new NumberConnectedElsewhere()
    })

    const sealedIn = (secrets: ChatSecrets) =>
      sql`sealed_access_token = ${secrets.accessToken}, sealed_app_secret = ${secrets.appSecret},
        sealed_former_app_secret = ${secrets.formerAppSecret?.sealed ?? null},
        former_app_secret_until = ${stamp(secrets.formerAppSecret?.until ?? null)},
        sealed_verify_token = ${secrets.verifyToken}, sealed_registration_pin = ${secrets.pin},
        sealed_pending_pin = ${secrets.pendingPin},`

    const stateOf = (account: ChatAccount) =>
      sql`display_name = ${account.displayName}, messaging_account_id = ${account.messagingAccountId}, url = ${account.url}, phone = ${account.phone}, status = ${account.status},
        quality_rating = ${account.qualityRating}, messaging_limit = ${account.messagingLimit},
        throughput_per_second = ${account.throughputPerSecond}, number_details = ${jsonOrNull(account.number)},
        onboarding = ${PgTypes.jsonb(encodeOnboarding(account.onboarding))}, last_checked_at = ${stamp(account.lastCheckedAt)},
        last_error = ${jsonOrNull(account.lastError)}, restrictions = ${PgTypes.json(account.restrictions)}::jsonb,
        updated_at = ${stamp(account.updatedAt)}`

    // A sender that has read one of them and has not started its call loses it. Rows are locked in the order of calls.
    const changeSends = (organizationId: OrganizationId, id: ChatAccountId, change: Statement.Fragment) => sql`
      WITH waiting AS MATERIALIZED (
        SELECT message_id AS waiting_id FROM send_queue
        WHERE organization_id = ${organizationId} AND chat_account_id = ${id} AND NOT is_started
        ORDER BY message_id FOR UPDATE
      )
      UPDATE send_queue SET ${change}, revision = revision + 1 FROM waiting
      WHERE organization_id = ${organizationId} AND message_id = waiting_id`

    const numberExists = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      { externalPhoneId, provider }: ChatAccount
    ) {
      const [row] = yield* sql<{ readonly id: ChatAccountId }>`
        SELECT id FROM chat_accounts
        WHERE organization_id = ${organizationId} AND provider = ${provider} AND external_phone_id = ${externalPhoneId}`
      return yield* row === undefined
        ? Effect.die(new Error("The chat account was removed while its number was taken."))
        : new ChatAccountExists({ chatAccountId: row.id })
    })

    return tenantPort(ChatAccounts, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [account] = yield* accountsWhere(organization, sql`id = ${id}`)
        return account ?? (yield* notFound())
      }),
      find: (organization, ids) =>
        ids.length === 0 ? Effect.succeed([]) : accountsWhere(organization, isOneOf(sql, "id", ids)),
      findByNumber: (organization, provider, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : accountsWhere(
              organization,
              sql`provider = ${provider} AND external_phone_id = ANY(${Array.from(ids)}::text[])`
            ),
      findByBusiness: (organization, provider, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : accountsWhere(
              organization,
              sql`provider = ${provider} AND (external_account_id = ANY(${Array.from(ids)}::text[])
                OR messaging_account_id = ANY(${Array.from(ids)}::text[]))`
            ),
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<AccountRow>`
          SELECT ${columns} FROM chat_accounts WHERE organization_id = ${organization.id} AND ${isConnected}
            ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(accountOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM chat_accounts
          WHERE organization_id = ${organization.id} AND ${isConnected}`
        return row?.count ?? 0
      }),
      secrets: Effect.fnUntraced(function* (organization, ids) {
        return ids.length === 0 ? [] : yield* secretsWhere(organization.id, isOneOf(sql, "id", ids))
      }),
      ownAppSecrets: Effect.fnUntraced(function* (organization) {
        return (yield* ownAppSecretsOf(organization.id)) ?? []
      }),
      removed: Effect.fnUntraced(function* (organization) {
        const rows = yield* sql<AccountRow & { readonly removedAt: Instant }>`
          SELECT ${columns}, removed_at AS "removedAt" FROM chat_accounts
          WHERE organization_id = ${organization.id} AND removed_at IS NOT NULL`
        return rows.map(({ removedAt, ...row }) => ({ account: accountOf(row), removedAt: utc(removedAt) }))
      }),
      insert: Effect.fnUntraced(function* (organization, account, secrets) {
        const inserted = yield* sql`
          INSERT INTO chat_accounts (organization_id, id, provider, mode, display_name, phone, external_account_id,
            external_phone_id, messaging_account_id, url, status, quality_rating, messaging_limit, throughput_per_second,
            number_details, onboarding, last_checked_at, last_error, restrictions,
            sealed_access_token, sealed_app_secret, sealed_former_app_secret, former_app_secret_until,
            sealed_verify_token, sealed_registration_pin, sealed_pending_pin, created_at, updated_at, version)
          VALUES (${organization.id}, ${account.id}, ${account.provider}, ${account.mode}, ${account.displayName},
            ${account.phone}, ${account.externalAccountId}, ${account.externalPhoneId}, ${account.messagingAccountId},
            ${account.url}, ${account.status}, ${account.qualityRating}, ${account.messagingLimit},
            ${account.throughputPerSecond}, ${jsonOrNull(account.number)},
            ${PgTypes.jsonb(encodeOnboarding(account.onboarding))},
            ${stamp(account.lastCheckedAt)}, ${jsonOrNull(account.lastError)},
            ${PgTypes.json(account.restrictions)}::jsonb, ${secrets.accessToken}, ${secrets.appSecret},
            ${secrets.formerAppSecret?.sealed ?? null}, ${stamp(secrets.formerAppSecret?.until ?? null)},
            ${secrets.verifyToken}, ${secrets.pin}, ${secrets.pendingPin}, ${stamp(account.createdAt)},
            ${stamp(account.updatedAt)}, ${account.version})
          ON CONFLICT ON CONSTRAINT chat_accounts_number DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* numberExists(organization.id, account)
        if (account.mode === "platform_app") yield* claimNumber(organization.id, account)
        yield* recent.forget
      }),
      save: Effect.fnUntraced(function* (organization, account, secrets, expected) {
        const sealed = secrets === null ? sql`` : sealedIn(secrets)
        const [row] = yield* sql<AccountRow>`
          UPDATE chat_accounts SET ${sealed} ${stateOf(account)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${account.id} AND ${isConnected} ${ifVersion(expected)}
          RETURNING ${columns}`
        if (row === undefined) return yield* conflict(organization.id, account.id)
        if (secrets !== null) yield* recent.forget
        return accountOf(row)
      }),
      recordCheck: Effect.fnUntraced(function* (organization, id, at) {
        yield* sql`
          UPDATE chat_accounts SET last_checked_at = ${stamp(at)}
          WHERE organization_id = ${organization.id} AND id = ${id} AND ${isConnected}`
      }),
      wantTemplates: Effect.fnUntraced(function* (organization, ids, from) {
        yield* sql`
          UPDATE chat_accounts SET template_sync_started = false, template_sync_revision = template_sync_revision + 1,
            template_sync_requested_at =
              CASE WHEN template_sync_started THEN ${stamp(from)} ELSE least(template_sync_requested_at, ${stamp(from)}) END
          WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
        yield* open(
          ids.map((key) => ({
            task: templateSyncTaskName,
            organizationId: organization.id,
            key,
            priority: "bulk",
            dueAt: from
          }))
        )
      }),
      remove: Effect.fnUntraced(function* (organization, id, { at, sendsWaitUntil }, expected) {
        const removed = yield* sql`
          UPDATE chat_accounts SET removed_at = ${stamp(at)}, sealed_access_token = NULL, sealed_app_secret = NULL,
            sealed_former_app_secret = NULL, former_app_secret_until = NULL, sealed_verify_token = NULL,
            sealed_registration_pin = NULL, sealed_pending_pin = NULL, template_sync_requested_at = NULL, template_sync_started = false, template_sync_revision = template_sync_revision + 1,
            version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} AND ${isConnected} ${ifVersion(expected)} RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
        yield* changeSends(organization.id, id, sql`due_at = greatest(due_at, ${stamp(sendsWaitUntil)})`)
        yield* recent.forget
      }),
      revive: Effect.fnUntraced(function* (organization, account, secrets) {
        const revived = yield* sql`
          UPDATE chat_accounts SET ${sealedIn(secrets)} ${stateOf(account)}, mode = ${account.mode},
            external_account_id = ${account.externalAccountId}, external_phone_id = ${account.externalPhoneId},
            version = ${account.version}, removed_at = NULL, send_failures = 0, send_backoff_until = NULL
          WHERE organization_id = ${organization.id} AND id = ${account.id} AND removed_at IS NOT NULL RETURNING 1`
        if (revived.length === 0) return yield* notFound()
        if (account.mode === "platform_app") yield* claimNumber(organization.id, account)
        yield* changeSends(organization.id, account.id, sql`due_at = ${stamp(account.updatedAt)}, attempts = 0`)
        yield* open([
          {
            task: sendTaskName,
            organizationId: organization.id,
            key: account.id,
            priority: "person",
            dueAt: account.updatedAt
          }
        ])
        yield* recent.forget
      })
    })
  })
)

const jsonOrNull = (value: ChatAccount["lastError"] | ChatAccount["number"]) =>
  value === null ? null : PgTypes.jsonb(value)
