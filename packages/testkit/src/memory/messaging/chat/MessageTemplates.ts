import { NotFound, VersionConflict } from "@parley/domain/kernel"
import {
  MessageTemplate,
  MessageTemplateExists,
  type MessageTemplateId,
  MessageTemplates
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { hasAccount } from "./isConnected.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

/** Templates of a removed number reappear when the number is connected again. */
const shown = (tenant: Tenant): ReadonlyArray<MessageTemplate> =>
  HashMap.toValues(tenant.messageTemplates).filter(({ chatAccountId }) => hasAccount(tenant, chatAccountId))

const notFound = () => new NotFound({ resource: "message template" })

const stored = (
  tenant: Tenant,
  id: MessageTemplateId,
  expected: number | null
): MessageTemplate | Refused<NotFound | VersionConflict> => {
  const template = rowAt(tenant.messageTemplates, id)
  if (template === null || !hasAccount(tenant, template.chatAccountId)) return refuse(notFound())
  const { version } = template
  return expected === null || expected === version ? template : refuse(new VersionConflict({ current: version }))
}

const isLeased = ({ messageTemplateLeases }: Tenant, id: MessageTemplateId, now: DateTime.Utc) => {
  const until = rowAt(messageTemplateLeases, id)
  return until !== null && DateTime.isGreaterThan(until, now)
}

const keyOf = ({ id, language, name }: MessageTemplate): ReadonlyArray<string> => [name, language, id]

const inOrder: Order.Order<MessageTemplate> = Order.mapInput(byKeys, keyOf)

export const layer = Layer.effect(
  MessageTemplates,
  Effect.map(Store, (store) =>
    MessageTemplates.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => shown(tenant).find((template) => template.id === id) ?? null),
          (template) => template !== null,
          notFound
        ),
      find: (ids) => store.readTenant((tenant) => shown(tenant).filter(({ id }) => ids.includes(id))),
      list: ({ chatAccountId, name, status }, { after, limit }) =>
        store.readTenant((tenant) =>
          shown(tenant)
            .filter(
              (template) =>
                (chatAccountId === null || template.chatAccountId === chatAccountId) &&
                (status === null || template.status === status) &&
                (name === null || template.name.startsWith(name)) &&
                (after === null || byKeys(keyOf(template), after) > 0)
            )
            .toSorted(inOrder)
            .slice(0, limit)
        ),
      ofAccounts: (ids) =>
        store.readTenant((tenant) => shown(tenant).filter(({ chatAccountId }) => ids.includes(chatAccountId))),
      insert: (template) =>
        store.writeTenant<void, MessageTemplateExists>((tenant) => {
          const known = HashMap.toValues(tenant.messageTemplates).find(
            ({ chatAccountId, language, name }) =>
              chatAccountId === template.chatAccountId && language === template.language && name === template.name
          )
          if (known !== undefined) return refuse(new MessageTemplateExists({ messageTemplateId: known.id }))
          return [undefined, { messageTemplates: HashMap.set(tenant.messageTemplates, template.id, template) }]
        }),
      save: (template, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, template.id, expected)
          if (before instanceof Refused) return before
          const { chatAccountId, createdAt, language, name, version } = before
          const after = new MessageTemplate({
            ...template,
            chatAccountId,
            language,
            name,
            createdAt,
            version: version + 1
          })
          return [after, { messageTemplates: HashMap.set(tenant.messageTemplates, template.id, after) }]
        }),
      lease: (id, now, until) =>
        store.writeTenant((tenant) =>
          isLeased(tenant, id, now) || !HashMap.has(tenant.messageTemplates, id)
            ? [false, {}]
            : [true, { messageTemplateLeases: HashMap.set(tenant.messageTemplateLeases, id, until) }]
        ),
      release: (id) =>
        store.writeTenant(({ messageTemplateLeases }) => [
          undefined,
          { messageTemplateLeases: HashMap.remove(messageTemplateLeases, id) }
        ]),
      isLeased: (id, now) => store.readTenant((tenant) => isLeased(tenant, id, now)),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [undefined, { messageTemplates: HashMap.remove(tenant.messageTemplates, id) }]
        })
    })
  )
)
