import {
  ChatAccount,
  ChatAccountExists,
  type ChatAccountId,
  ChatAccounts,
  CurrentOrganization,
  NotFound,
  NumberTaken,
  type OrganizationId,
  VersionConflict
} from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { type ChatAccountRow, rowAt, type State, type Tenant, tenantOf, withTenant } from "../store/State.ts"
import { refuse, Refused, Store } from "../store/Store.ts"

const notFound = () => new NotFound({ resource: "chat account" })

const stored = (
  tenant: Tenant,
  id: ChatAccountId,
  expected: number | null
): ChatAccountRow | Refused<NotFound | VersionConflict> => {
  const row = rowAt(tenant.chatAccounts, id)
  if (row === null) return refuse(notFound())
  const { version } = row.account
  return expected === null || expected === version ? row : refuse(new VersionConflict({ current: version }))
}

const isTaken = (state: State, organizationId: OrganizationId, { externalPhoneId, mode }: ChatAccount) =>
  mode === "platform_app" &&
  HashMap.toEntries(state.tenants).some(
    ([id, { chatAccounts }]) =>
      id !== organizationId &&
      HashMap.toValues(chatAccounts).some(
        ({ account }) => account.mode === "platform_app" && account.externalPhoneId === externalPhoneId
      )
  )

const sooner = ({ wanted }: ChatAccountRow, from: DateTime.Utc) =>
  wanted === null || wanted.fetcher !== null ? from : DateTime.min(wanted.from, from)

const accountsOf = ({ chatAccounts }: Tenant) => HashMap.toValues(chatAccounts).map(({ account }) => account)

const secretsOf = ({ account: { id }, secrets }: ChatAccountRow) => ({ id, ...secrets })

export const layer = Layer.effect(
  ChatAccounts,
  Effect.map(Store, (store) =>
    ChatAccounts.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ chatAccounts }) => rowAt(chatAccounts, id)?.account ?? null),
          (account) => account !== null,
          notFound
        ),
      find: (ids) => store.readTenant((tenant) => accountsOf(tenant).filter(({ id }) => ids.includes(id))),
      findByNumber: (numbers) =>
        store.readTenant((tenant) =>
          accountsOf(tenant).filter(({ externalPhoneId }) => numbers.includes(externalPhoneId))
        ),
      findByBusiness: (businesses) =>
        store.readTenant((tenant) =>
          accountsOf(tenant).filter(({ externalAccountId }) => businesses.includes(externalAccountId))
        ),
      list: (slice) => store.readTenant((tenant) => descending(accountsOf(tenant), ({ id }) => id, slice)),
      count: () => store.readTenant(({ chatAccounts }) => HashMap.size(chatAccounts)),
      secrets: (ids) =>
        store.readTenant(({ chatAccounts }) => ids.flatMap((id) => rowAt(chatAccounts, id) ?? []).map(secretsOf)),
      ownAppSecrets: () =>
        store.readTenant(({ chatAccounts }) =>
          HashMap.toValues(chatAccounts)
            .filter(({ account }) => account.mode === "own_app")
            .map(secretsOf)
        ),
      insert: (account, secrets) =>
        Effect.flatMap(CurrentOrganization, (organization) =>
          store.write<void, ChatAccountExists | NumberTaken>((state) => {
            const tenant = tenantOf(state, organization.id)
            const known = accountsOf(tenant).find(({ externalPhoneId }) => externalPhoneId === account.externalPhoneId)
            if (known !== undefined) return refuse(new ChatAccountExists({ chatAccountId: known.id }))
            if (isTaken(state, organization.id, account)) return refuse(new NumberTaken())
            const chatAccounts = HashMap.set(tenant.chatAccounts, account.id, {
              account,
              secrets,
              failures: 0,
              restsUntil: null,
              wanted: null
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
      wantTemplates: (ids, from) =>
        store.writeTenant(({ chatAccounts }) => [
          undefined,
          {
            chatAccounts: HashMap.map(chatAccounts, (row, id) =>
              ids.includes(id) ? { ...row, wanted: { from: sooner(row, from), fetcher: null } } : row
            )
          }
        ]),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          if (before instanceof Refused) return before
          return [
            undefined,
            {
              chatAccounts: HashMap.remove(tenant.chatAccounts, id),
              messageTemplates: HashMap.filter(tenant.messageTemplates, ({ chatAccountId }) => chatAccountId !== id)
            }
          ]
        })
    })
  )
)
