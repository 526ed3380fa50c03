import { CurrentOrganization, NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import {
  ChatAccount,
  ChatAccountExists,
  type ChatAccountId,
  ChatAccounts,
  isOfBusiness,
  NumberConnectedElsewhere,
  sendTaskName,
  templateSyncTaskName
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { isConnected } from "./isConnected.ts"
import { rowAt, type State, type Tenant, tenantOf, withTenant } from "../../store/State.ts"
import type { ChatAccountRow, SendRow } from "../state.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"
import { openLanes } from "../../platform/background/laneRows.ts"

const notFound = () => new NotFound({ resource: "chat account" })

const stored = (
  tenant: Tenant,
  id: ChatAccountId,
  expected: number | null
): ChatAccountRow | Refused<NotFound | VersionConflict> => {
  const row = rowAt(tenant.chatAccounts, id)
  if (row === null || !isConnected(row)) return refuse(notFound())
  const { version } = row.account
  return expected === null || expected === version ? row : refuse(new VersionConflict({ current: version }))
}

const isTaken = (state: State, organizationId: OrganizationId, { externalPhoneId, mode, provider }: ChatAccount) =>
  mode === "platform_app" &&
  HashMap.toEntries(state.tenants).some(
    ([id, { chatAccounts }]) =>
      id !== organizationId &&
      HashMap.toValues(chatAccounts)
        .filter(isConnected)
        .some(
          ({ account }) =>
            account.mode === "platform_app" &&
            account.provider === provider &&
            account.externalPhoneId === externalPhoneId
        )
  )

const sooner = ({ wanted }: ChatAccountRow, from: DateTime.Utc) =>
  wanted === null || wanted.isBegun ? from : DateTime.min(wanted.from, from)

const rowsOf = ({ chatAccounts }: Tenant) => HashMap.toValues(chatAccounts).filter(isConnected)

const accountsOf = (tenant: Tenant) => rowsOf(tenant).map(({ account }) => account)

const secretsOf = ({ account: { id, provider }, secrets }: ChatAccountRow) =>
  secrets === null ? [] : [{ id, provider, ...secrets }]

const sendsOf = ({ sends }: Tenant, account: ChatAccountId, change: (row: SendRow) => Partial<SendRow>) =>
  sends.map((row) =>
    row.chatAccountId === account && !row.hasBegun ? { ...row, revision: row.revision + 1, ...change(row) } : row
  )

export const layer = Layer.effect(
  ChatAccounts,
  Effect.map(Store, (store) =>
    ChatAccounts.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => accountsOf(tenant).find((account) => account.id === id) ?? null),
          (account) => account !== null,
          notFound
        ),
      find: (ids) => store.readTenant((tenant) => accountsOf(tenant).filter(({ id }) => ids.includes(id))),
      findByNumber: (provider, numbers) =>
        store.readTenant((tenant) =>
          accountsOf(tenant).filter((each) => each.provider === provider && numbers.includes(each.externalPhoneId))
        ),
      findByBusiness: (provider, businesses) =>
        store.readTenant((tenant) =>
          accountsOf(tenant).filter(
            (each) => each.provider === provider && businesses.some((id) => isOfBusiness(each, id))
          )
        ),
      list: (slice) => store.readTenant((tenant) => descending(accountsOf(tenant), ({ id }) => id, slice)),
      count: () => store.readTenant((tenant) => rowsOf(tenant).length),
      secrets: (ids) =>
        store.readTenant(({ chatAccounts }) => ids.flatMap((id) => rowAt(chatAccounts, id) ?? []).flatMap(secretsOf)),
      ownAppSecrets: () =>
        store.readTenant((tenant) =>
          rowsOf(tenant)
            .filter(({ account }) => account.mode === "own_app")
            .flatMap(secretsOf)
        ),
      removed: () =>
        store.readTenant(({ chatAccounts }) =>
          HashMap.toValues(chatAccounts).flatMap(({ account, removedAt }) =>
            removedAt === null ? [] : [{ account, removedAt }]
          )
        ),
      insert: (account, secrets) =>
        Effect.flatMap(CurrentOrganization, (organization) =>
          store.write<void, ChatAccountExists | NumberConnectedElsewhere>((state) => {
            const tenant = tenantOf(state, organization.id)
            const known = HashMap.toValues(tenant.chatAccounts).find(
              ({ account: { externalPhoneId, provider } }) =>
                externalPhoneId === account.externalPhoneId && provider === account.provider
            )
            if (known !== undefined) return refuse(new ChatAccountExists({ chatAccountId: known.account.id }))
            if (isTaken(state, organization.id, account)) return refuse(new NumberConnectedElsewhere())
            const chatAccounts = HashMap.set(tenant.chatAccounts, account.id, {
              account,
              secrets,
              removedAt: null,
              failures: 0,
              restsUntil: null,
              wanted: null,
              wantedRevision: 0
            })
            return [undefined, withTenant(state, organization.id, { chatAccounts })]
          })
        ),
      save: (account, secrets, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, account.id, expected)
          if (before instanceof Refused) return before
          const { createdAt, externalAccountId, externalPhoneId, mode, version } = before.account
          const after = new ChatAccount({
            ...account,
            mode,
            externalAccountId,
            externalPhoneId,
            createdAt,
            version: version + 1
          })
          const row = { ...before, account: after, secrets: secrets ?? before.secrets }
          return [after, { chatAccounts: HashMap.set(tenant.chatAccounts, account.id, row) }]
        }),
      recordCheck: (id, lastCheckedAt) =>
        store.writeTenant(({ chatAccounts }) => [
          undefined,
          {
            chatAccounts: HashMap.modify(chatAccounts, id, (row) =>
              isConnected(row) ? { ...row, account: new ChatAccount({ ...row.account, lastCheckedAt }) } : row
            )
          }
        ]),
      wantTemplates: (ids, from) =>
        Effect.gen(function* () {
          const { id: organizationId } = yield* CurrentOrganization
          yield* store.writeTenant(({ chatAccounts }) => [
            undefined,
            {
              chatAccounts: HashMap.map(chatAccounts, (row, id) =>
                ids.includes(id)
                  ? {
                      ...row,
                      wanted: { from: sooner(row, from), isBegun: false },
                      wantedRevision: row.wantedRevision + 1
                    }
                  : row
              )
            }
          ])
          yield* openLanes(
            store,
            ids.map((key) => ({ task: templateSyncTaskName, organizationId, key, priority: "bulk", dueAt: from }))
          )
        }),
      remove: (id, { at, sendsWaitUntil }, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          if (before instanceof Refused) return before
          const account = new ChatAccount({ ...before.account, version: before.account.version + 1 })
          const row = {
            ...before,
            account,
            secrets: null,
            removedAt: at,
            wanted: null,
            wantedRevision: before.wantedRevision + 1
          }
          return [
            undefined,
            {
              chatAccounts: HashMap.set(tenant.chatAccounts, id, row),
              sends: sendsOf(tenant, id, ({ runnableAt }) => ({
                runnableAt: DateTime.max(runnableAt, sendsWaitUntil)
              }))
            }
          ]
        }),
      revive: (account, secrets) =>
        Effect.flatMap(CurrentOrganization, (organization) =>
          store
            .write<void, NotFound | NumberConnectedElsewhere>((state) => {
              const tenant = tenantOf(state, organization.id)
              const before = rowAt(tenant.chatAccounts, account.id)
              if (before === null || isConnected(before)) return refuse(notFound())
              if (isTaken(state, organization.id, account)) return refuse(new NumberConnectedElsewhere())
              const row = { ...before, account, secrets, removedAt: null, failures: 0, restsUntil: null }
              const revived = withTenant(state, organization.id, {
                chatAccounts: HashMap.set(tenant.chatAccounts, account.id, row),
                sends: sendsOf(tenant, account.id, () => ({ attempts: 0, runnableAt: account.updatedAt }))
              })
              return [undefined, revived]
            })
            .pipe(
              Effect.tap(
                openLanes(store, [
                  {
                    task: sendTaskName,
                    organizationId: organization.id,
                    key: account.id,
                    priority: "person",
                    dueAt: account.updatedAt
                  }
                ])
              )
            )
        )
    })
  )
)
