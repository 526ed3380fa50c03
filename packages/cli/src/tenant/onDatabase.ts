import {
  adoptAutomationToken,
  startStoreAuthorization,
  cancelBroadcast,
  toCancelledBroadcast,
  changeMemberRole,
  changeRegistrationPin,
  checkChatAccount,
  type CommerceQuery,
  completePluginCall,
  completePrivacyRequest,
  completeStoreConnection,
  connectStore,
  createBroadcast,
  createLibraryMessageTemplate,
  createMessageTemplate,
  createSchedule,
  type CurrentActor,
  type CurrentOrganization,
  deleteMessageTemplate,
  deleteSchedule,
  disablePlugin,
  dropContactFile,
  duplicateBroadcast,
  editMessageTemplate,
  enablePlugin,
  exportContacts,
  exportPrivacyRequest,
  exportRecipients,
  getAvailability,
  getBroadcast,
  getCart,
  getContactCommerce,
  getContactImport,
  getJob,
  getMessageTemplate,
  getConversation,
  getConversationCommerce,
  getOrder,
  getPlugin,
  getPrivacyRequest,
  getProduct,
  getSchedule,
  getScheduleStatus,
  getStoreConnection,
  getStoreCustomer,
  importContacts,
  installPlugin,
  inviteMember,
  issueAutomationToken,
  jobTasks,
  layerJobKinds,
  layerWorkersOf,
  linkStoreCustomer,
  listAuditEvents,
  listAutomationTokens,
  listBroadcasts,
  listCarts,
  deregisterChatAccount,
  getOnboarding,
  listChatAccounts,
  registerChatAccount,
  subscribeChatAccount,
  listContacts,
  listConversations,
  listJobs,
  listLibraryTemplates,
  listMembers,
  listMessages,
  listMessageTemplates,
  listOrders,
  listPluginDeliveries,
  listPlugins,
  listPrivacyRequests,
  listProducts,
  listRecipients,
  listSchedules,
  listSkippedRecords,
  listStoreConnections,
  listStoreCustomers,
  type Organization,
  pauseBroadcast,
  type Ports,
  previewAudience,
  readBroadcastReport,
  readImportIssues,
  receiveContactFile,
  toRecipientQuery,
  removeMember,
  removeStoreConnection,
  resumeBroadcast,
  retryBroadcast,
  revokeAutomationToken,
  rotatePluginSecret,
  scheduleBroadcast,
  searchMessages,
  sendBroadcast,
  sendMessage,
  setAvailability,
  simulateBroadcast,
  syncMessageTemplates,
  syncStore,
  testBroadcast,
  uninstallPlugin,
  unreadConversation,
  unscheduleBroadcast,
  updateBroadcast,
  updatePlugin,
  updateSchedule,
  updateStoreConnection,
  upgradePlugin,
  submitMessageTemplate,
  unpauseMessageTemplate
} from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Layer, Option } from "effect"
import type { Calls, Tenant } from "./Tenant.ts"
import {
  analyticsOnDatabase,
  automationsOnDatabase,
  followOnDatabase,
  pageOf,
  webhooksOnDatabase,
  workflowsOnDatabase
} from "./areasOnDatabase.ts"
import { asMember } from "./selection.ts"

type Inside = Ports | CurrentActor | CurrentOrganization

type RecordQuery = { readonly [Name in keyof CommerceQuery]?: Exclude<CommerceQuery[Name], null> }

const recordQuery = ({ contactId, q, storeConnectionId, updatedSince }: RecordQuery): CommerceQuery => ({
  storeConnectionId: storeConnectionId ?? null,
  contactId: contactId ?? null,
  updatedSince: updatedSince ?? null,
  q: q ?? null
})

/** Maps the calls of the API contract to the use cases, without a service. */
export const callsOnDatabase = Effect.gen(function* () {
  const context = yield* Effect.context<Inside>()
  const here = <A, E>(effect: Effect.Effect<A, E, Inside>) => Effect.provideContext(effect, context)
  return {
    ...analyticsOnDatabase(here),
    ...automationsOnDatabase(here),
    audit: {
      list: ({ query = {} } = {}) =>
        here(
          listAuditEvents({
            actorId: query.actorId ?? null,
            action: query.action ?? null,
            targetKind: query.targetKind ?? null,
            targetId: query.targetId ?? null,
            from: query.from ?? null,
            to: query.to ?? null,
            page: pageOf(query)
          })
        )
    },
    broadcasts: {
      list: ({ query = {} } = {}) =>
        here(
          listBroadcasts({
            status: query.status ?? null,
            chatAccountId: query.chatAccountId ?? null,
            q: query.q ?? null,
            createdFrom: query.createdFrom ?? null,
            createdTo: query.createdTo ?? null,
            page: pageOf(query)
          })
        ),
      get: ({ params }) => here(getBroadcast(params)),
      preview: ({ payload = {} } = {}) => here(previewAudience(payload)),
      send: ({ headers = {}, params, payload = {} }) =>
        here(sendBroadcast({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      pause: ({ params }) => here(pauseBroadcast(params)),
      resume: ({ params }) => here(resumeBroadcast(params)),
      cancel: ({ params }) => here(Effect.map(cancelBroadcast(params), toCancelledBroadcast)),
      report: ({ params }) => here(readBroadcastReport(params)),
      recipients: ({ params, query = {} }) =>
        here(listRecipients({ ...params, ...toRecipientQuery(query), page: pageOf(query) })),
      exportRecipients: ({ params, query: { format, ...query } = {} }) =>
        here(exportRecipients({ ...params, ...toRecipientQuery(query), format: format ?? "csv" })),
      create: ({ payload }) => here(createBroadcast(payload)),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateBroadcast({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      schedule: ({ headers = {}, params, payload = {} }) =>
        here(scheduleBroadcast({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      unschedule: ({ headers = {}, params }) =>
        here(unscheduleBroadcast({ ...params, ifVersion: headers["if-match"] ?? null })),
      simulate: ({ params, payload = {} }) => here(simulateBroadcast({ ...params, ...payload })),
      test: ({ params, payload }) => here(testBroadcast({ ...params, ...payload })),
      duplicate: ({ params, payload = {} }) => here(duplicateBroadcast({ ...params, ...payload })),
      retry: ({ params, payload }) => here(retryBroadcast({ ...params, ...payload }))
    },
    jobs: {
      list: ({ query = {} } = {}) =>
        here(listJobs({ state: query.state ?? null, kind: query.kind ?? null, page: pageOf(query) })),
      get: ({ params }) => here(getJob(params))
    },
    chatAccounts: {
      list: ({ query = {} } = {}) => here(listChatAccounts({ page: pageOf(query) })),
      check: ({ params }) => here(checkChatAccount(params)),
      onboarding: ({ params }) => here(getOnboarding(params)),
      register: ({ params, payload = {} }) => here(registerChatAccount({ ...params, ...payload })),
      deregister: ({ params }) => here(deregisterChatAccount(params)),
      changePin: ({ params, payload = {} }) => here(changeRegistrationPin({ ...params, ...payload })),
      subscribe: ({ params, payload = {} }) => here(subscribeChatAccount({ ...params, ...payload }))
    },
    commerce: {
      listOrders: ({ query = {} } = {}) =>
        here(
          listOrders({
            ...recordQuery(query),
            paymentStatus: query.paymentStatus ?? null,
            fulfilmentStatus: query.fulfilmentStatus ?? null,
            page: pageOf(query)
          })
        ),
      getOrder: ({ params }) => here(getOrder(params)),
      listCarts: ({ query = {} } = {}) =>
        here(listCarts({ ...recordQuery(query), state: query.state ?? null, page: pageOf(query) })),
      getCart: ({ params }) => here(getCart(params)),
      listCustomers: ({ query = {} } = {}) => here(listStoreCustomers({ ...recordQuery(query), page: pageOf(query) })),
      getCustomer: ({ params }) => here(getStoreCustomer(params)),
      linkCustomer: ({ params, payload }) => here(linkStoreCustomer({ ...params, ...payload })),
      listProducts: ({ query = {} } = {}) => here(listProducts({ ...recordQuery(query), page: pageOf(query) })),
      getProduct: ({ params }) => here(getProduct(params)),
      ofContact: ({ params, query = {} }) => here(getContactCommerce({ ...params, ...query })),
      ofConversation: ({ params, query = {} }) => here(getConversationCommerce({ ...params, ...query }))
    },
    contacts: {
      list: ({ query: { cursor: _cursor, limit: _limit, tag, ...asked } = {}, query = {} } = {}) =>
        here(listContacts({ ...asked, ...(tag !== undefined && { tags: tag }), page: pageOf(query) }))
    },
    contactTransfer: {
      getImport: ({ params }) => here(getContactImport(params)),
      importErrors: ({ params }) => here(readImportIssues(params)),
      export: ({ query: { format, segment, tag } = {} } = {}) =>
        here(
          exportContacts({
            ...(tag !== undefined && { tags: tag }),
            ...(segment !== undefined && { segment }),
            format: format ?? "csv"
          })
        )
    },
    conversations: {
      list: ({ query: { cursor: _cursor, limit: _limit, ...asked } = {}, query = {} } = {}) =>
        here(listConversations({ ...asked, page: pageOf(query) })),
      get: ({ params, query = {} }) => here(getConversation({ ...params, ...query })),
      unread: ({ params }) => here(unreadConversation(params))
    },
    members: {
      list: ({ query = {} } = {}) => here(listMembers({ page: pageOf(query) })),
      invite: ({ payload }) => here(inviteMember(payload)),
      changeRole: ({ params, payload }) => here(changeMemberRole({ ...params, ...payload, ifVersion: null })),
      remove: ({ params }) => here(removeMember(params)),
      availability: ({ params }) => here(getAvailability(params)),
      setAvailability: ({ params, payload }) => here(setAvailability({ ...params, ...payload }))
    },
    messageTemplates: {
      create: ({ payload }) => here(createMessageTemplate(payload)),
      createFromLibrary: ({ payload }) => here(createLibraryMessageTemplate(payload)),
      delete: ({ headers = {}, params }) =>
        here(deleteMessageTemplate({ ...params, ifVersion: headers["if-match"] ?? null })),
      edit: ({ headers = {}, params, payload = {} }) =>
        here(editMessageTemplate({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      get: ({ params }) => here(getMessageTemplate(params)),
      library: ({ query }) => here(listLibraryTemplates(query)),
      submit: ({ params }) => here(submitMessageTemplate(params)),
      unpause: ({ params }) => here(unpauseMessageTemplate(params)),
      list: ({ query = {} } = {}) =>
        here(
          listMessageTemplates({
            chatAccountId: query.chatAccountId ?? null,
            status: query.status ?? null,
            name: query.name ?? null,
            page: pageOf(query)
          })
        ),
      sync: ({ payload }) => here(syncMessageTemplates(payload))
    },
    messages: {
      list: ({ params, query = {} }) => here(listMessages({ ...params, page: pageOf(query) })),
      search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
        here(searchMessages({ ...asked, page: pageOf(query) })),
      send: ({ params, payload }) => here(sendMessage({ ...params, ...payload }))
    },
    pluginCalls: {
      complete: ({ params, payload = {} }) => here(completePluginCall({ ...params, ...payload }))
    },
    plugins: {
      list: ({ query = {} } = {}) => here(listPlugins({ ...query, page: pageOf(query) })),
      get: ({ params }) => here(getPlugin(params)),
      install: ({ payload }) => here(installPlugin(payload)),
      update: ({ headers = {}, params, payload }) =>
        here(updatePlugin({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      upgrade: ({ headers = {}, params, payload }) =>
        here(upgradePlugin({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      enable: ({ headers = {}, params }) => here(enablePlugin({ ...params, ifVersion: headers["if-match"] ?? null })),
      disable: ({ headers = {}, params }) => here(disablePlugin({ ...params, ifVersion: headers["if-match"] ?? null })),
      rotateSecret: ({ params, payload = {} }) => here(rotatePluginSecret({ ...params, ...payload })),
      uninstall: ({ headers = {}, params, query = {} }) =>
        here(uninstallPlugin({ ...params, force: query.force === "true", ifVersion: headers["if-match"] ?? null })),
      listDeliveries: ({ params, query = {} }) =>
        here(
          listPluginDeliveries({
            ...params,
            state: query.state ?? null,
            type: query.type ?? null,
            from: query.from ?? null,
            to: query.to ?? null,
            page: pageOf(query)
          })
        )
    },
    privacyRequests: {
      list: ({ query = {} } = {}) => here(listPrivacyRequests({ ...query, page: pageOf(query) })),
      get: ({ params }) => here(getPrivacyRequest(params)),
      export: ({ params }) => here(exportPrivacyRequest(params)),
      complete: ({ params }) => here(completePrivacyRequest(params))
    },
    schedules: {
      list: ({ query = {} } = {}) => here(listSchedules({ page: pageOf(query) })),
      create: ({ payload }) => here(createSchedule(payload)),
      get: ({ params }) => here(getSchedule(params)),
      status: ({ params, query = {} }) => here(getScheduleStatus({ ...params, ...query })),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateSchedule({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      delete: ({ headers = {}, params }) => here(deleteSchedule({ ...params, ifVersion: headers["if-match"] ?? null }))
    },
    storeConnections: {
      list: ({ query = {} } = {}) => here(listStoreConnections({ ...query, page: pageOf(query) })),
      get: ({ params }) => here(getStoreConnection(params)),
      create: ({ payload }) => here(connectStore(payload)),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateStoreConnection({ ...params, ...payload, ifVersion: headers["if-match"] ?? null })),
      delete: ({ headers = {}, params }) =>
        here(removeStoreConnection({ ...params, ifVersion: headers["if-match"] ?? null })),
      sync: ({ params, payload = {} }) => here(syncStore({ ...params, ...payload })),
      authorize: ({ query }) => here(startStoreAuthorization(query)),
      listSkipped: ({ params, query = {} }) => here(listSkippedRecords({ ...params, page: pageOf(query) })),
      complete: ({ params, payload }) => here(completeStoreConnection({ ...params, ...payload }))
    },
    ...webhooksOnDatabase(here),
    ...workflowsOnDatabase(here),
    tokens: {
      list: ({ query = {} } = {}) => here(listAutomationTokens({ page: pageOf(query) })),
      issue: ({ payload }) =>
        here(
          Effect.map(issueAutomationToken(payload), ({ automationToken, token }) => ({ ...automationToken, token }))
        ),
      adopt: ({ params }) => here(adoptAutomationToken(params)),
      revoke: ({ params }) => here(revokeAutomationToken(params))
    }
  } satisfies Calls as Calls
})

/** Builds an organization on the database, with the permissions of an operator. */
export const tenantOnDatabase = Effect.fnUntraced(function* (
  organization: Organization,
  maxImportBytes: number
): Effect.fn.Return<Tenant, never, Inside> {
  const context = yield* Effect.context<Inside>()
  const here = <A, E>(effect: Effect.Effect<A, E, Inside>) => Effect.provideContext(effect, context)
  const calls = yield* callsOnDatabase
  return {
    ...calls,
    name: organization.slug,
    id: organization.id,
    follow: followOnDatabase(calls),
    as: (member) =>
      Option.match(member, {
        onNone: () => new WrongUsage({ message: "Specify the responsible member: --as ann@acme.example" }),
        onSome: (name) => here(asMember(organization, name, callsOnDatabase))
      }),
    importContacts: ({ bytes, format }, request) =>
      here(
        Effect.gen(function* () {
          const file = yield* receiveContactFile({ bytes, max: maxImportBytes })
          return yield* importContacts({ file, ...request, format }).pipe(
            Effect.onError(() => Effect.ignore(dropContactFile({ id: file.id })))
          )
        })
      ),
    working: here(
      Layer.launch(Layer.provide(layerWorkersOf(jobTasks, { lookMillis: 200, name: "contacts import" }), layerJobKinds))
    )
  }
})
