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
  listContactRuns,
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

const usualOrders = 10

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
          listAuditEvents(
            {
              actorId: query.actorId ?? null,
              action: query.action ?? null,
              targetKind: query.targetKind ?? null,
              targetId: query.targetId ?? null,
              from: query.from ?? null,
              to: query.to ?? null
            },
            pageOf(query)
          )
        )
    },
    broadcasts: {
      list: ({ query = {} } = {}) =>
        here(
          listBroadcasts(
            {
              status: query.status ?? null,
              chatAccountId: query.chatAccountId ?? null,
              q: query.q ?? null,
              createdFrom: query.createdFrom ?? null,
              createdTo: query.createdTo ?? null
            },
            pageOf(query)
          )
        ),
      get: ({ params }) => here(getBroadcast(params.id)),
      preview: ({ payload = {} } = {}) => here(previewAudience(payload)),
      send: ({ headers = {}, params, payload = {} }) =>
        here(sendBroadcast(params.id, payload, headers["if-match"] ?? null)),
      pause: ({ params }) => here(pauseBroadcast(params.id)),
      resume: ({ params }) => here(resumeBroadcast(params.id)),
      cancel: ({ params }) => here(Effect.map(cancelBroadcast(params.id), toCancelledBroadcast)),
      report: ({ params }) => here(readBroadcastReport(params.id)),
      recipients: ({ params, query = {} }) => here(listRecipients(params.id, toRecipientQuery(query), pageOf(query))),
      exportRecipients: ({ params, query: { format, ...query } = {} }) =>
        here(exportRecipients(params.id, toRecipientQuery(query), format ?? "csv")),
      create: ({ payload }) => here(createBroadcast(payload)),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateBroadcast(params.id, payload, headers["if-match"] ?? null)),
      schedule: ({ headers = {}, params, payload = {} }) =>
        here(scheduleBroadcast(params.id, payload, headers["if-match"] ?? null)),
      unschedule: ({ headers = {}, params }) => here(unscheduleBroadcast(params.id, headers["if-match"] ?? null)),
      simulate: ({ params, payload = {} }) => here(simulateBroadcast(params.id, payload)),
      test: ({ params, payload }) => here(testBroadcast(params.id, payload)),
      duplicate: ({ params, payload = {} }) => here(duplicateBroadcast(params.id, payload)),
      retry: ({ params, payload }) => here(retryBroadcast(params.id, payload))
    },
    jobs: {
      list: ({ query = {} } = {}) =>
        here(listJobs({ state: query.state ?? null, kind: query.kind ?? null }, pageOf(query))),
      get: ({ params }) => here(getJob(params.id))
    },
    chatAccounts: {
      list: ({ query = {} } = {}) => here(listChatAccounts(pageOf(query))),
      check: ({ params }) => here(checkChatAccount(params.id)),
      onboarding: ({ params }) => here(getOnboarding(params.id)),
      register: ({ params, payload = {} }) => here(registerChatAccount(params.id, payload)),
      deregister: ({ params }) => here(deregisterChatAccount(params.id)),
      changePin: ({ params, payload = {} }) => here(changeRegistrationPin(params.id, payload)),
      subscribe: ({ params, payload = {} }) => here(subscribeChatAccount(params.id, payload))
    },
    commerce: {
      listOrders: ({ query = {} } = {}) =>
        here(
          listOrders(
            {
              ...recordQuery(query),
              paymentStatus: query.paymentStatus ?? null,
              fulfilmentStatus: query.fulfilmentStatus ?? null
            },
            pageOf(query)
          )
        ),
      getOrder: ({ params }) => here(getOrder(params.id)),
      listCarts: ({ query = {} } = {}) =>
        here(listCarts({ ...recordQuery(query), state: query.state ?? null }, pageOf(query))),
      getCart: ({ params }) => here(getCart(params.id)),
      listCustomers: ({ query = {} } = {}) => here(listStoreCustomers(recordQuery(query), pageOf(query))),
      getCustomer: ({ params }) => here(getStoreCustomer(params.id)),
      linkCustomer: ({ params, payload }) => here(linkStoreCustomer(params.id, payload.contactId)),
      listProducts: ({ query = {} } = {}) => here(listProducts(recordQuery(query), pageOf(query))),
      getProduct: ({ params }) => here(getProduct(params.id)),
      ofContact: ({ params, query = {} }) => here(getContactCommerce(params.id, query.orders ?? usualOrders)),
      ofConversation: ({ params, query = {} }) => here(getConversationCommerce(params.id, query.orders ?? usualOrders))
    },
    contacts: {
      list: ({ query: { cursor: _cursor, limit: _limit, tag, ...asked } = {}, query = {} } = {}) =>
        here(listContacts({ ...asked, ...(tag !== undefined && { tags: tag }) }, pageOf(query))),
      listRuns: ({ params, query = {} }) => here(listContactRuns({ contactId: params.id, page: pageOf(query) }))
    },
    contactTransfer: {
      getImport: ({ params }) => here(getContactImport(params.id)),
      importErrors: ({ params }) => here(readImportIssues(params.id)),
      export: ({ query: { format, segment, tag } = {} } = {}) =>
        here(
          exportContacts(
            { ...(tag !== undefined && { tags: tag }), ...(segment !== undefined && { segment }) },
            format ?? "csv"
          )
        )
    },
    conversations: {
      list: ({ query: { cursor: _cursor, limit: _limit, ...asked } = {}, query = {} } = {}) =>
        here(listConversations(asked, pageOf(query))),
      get: ({ params, query = {} }) => here(getConversation(params.id, query.expand)),
      unread: ({ params }) => here(unreadConversation(params.id))
    },
    members: {
      list: ({ query = {} } = {}) => here(listMembers(pageOf(query))),
      invite: ({ payload }) => here(inviteMember(payload)),
      changeRole: ({ params, payload }) => here(changeMemberRole(params.id, payload.role, null)),
      remove: ({ params }) => here(removeMember(params.id)),
      availability: ({ params }) => here(getAvailability(params.id)),
      setAvailability: ({ params, payload }) => here(setAvailability(params.id, payload))
    },
    messageTemplates: {
      create: ({ payload }) => here(createMessageTemplate(payload)),
      createFromLibrary: ({ payload }) => here(createLibraryMessageTemplate(payload)),
      delete: ({ headers = {}, params }) => here(deleteMessageTemplate(params.id, headers["if-match"] ?? null)),
      edit: ({ headers = {}, params, payload = {} }) =>
        here(editMessageTemplate(params.id, payload, headers["if-match"] ?? null)),
      get: ({ params }) => here(getMessageTemplate(params.id)),
      library: ({ query: { chatAccountId, ...query } }) => here(listLibraryTemplates(chatAccountId, query)),
      submit: ({ params }) => here(submitMessageTemplate(params.id)),
      unpause: ({ params }) => here(unpauseMessageTemplate(params.id)),
      list: ({ query = {} } = {}) =>
        here(
          listMessageTemplates(
            { chatAccountId: query.chatAccountId ?? null, status: query.status ?? null, name: query.name ?? null },
            pageOf(query)
          )
        ),
      sync: ({ payload }) => here(syncMessageTemplates(payload.chatAccountId))
    },
    messages: {
      list: ({ params, query = {} }) => here(listMessages(params.id, pageOf(query))),
      search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
        here(searchMessages(asked, pageOf(query))),
      send: ({ params, payload }) => here(sendMessage(params.id, payload))
    },
    pluginCalls: {
      complete: ({ params, payload = {} }) => here(completePluginCall(params.id, payload))
    },
    plugins: {
      list: ({ query = {} } = {}) => here(listPlugins(query.view ?? "installed", pageOf(query))),
      get: ({ params }) => here(getPlugin(params.id)),
      install: ({ payload }) => here(installPlugin(payload)),
      update: ({ headers = {}, params, payload }) =>
        here(updatePlugin(params.id, payload, headers["if-match"] ?? null)),
      upgrade: ({ headers = {}, params, payload }) =>
        here(upgradePlugin(params.id, payload, headers["if-match"] ?? null)),
      enable: ({ headers = {}, params }) => here(enablePlugin(params.id, headers["if-match"] ?? null)),
      disable: ({ headers = {}, params }) => here(disablePlugin(params.id, headers["if-match"] ?? null)),
      rotateSecret: ({ params, payload = {} }) => here(rotatePluginSecret(params.id, payload)),
      uninstall: ({ headers = {}, params, query = {} }) =>
        here(uninstallPlugin(params.id, query.force === "true", headers["if-match"] ?? null)),
      listDeliveries: ({ params, query = {} }) =>
        here(
          listPluginDeliveries(
            params.id,
            { state: query.state ?? null, type: query.type ?? null, from: query.from ?? null, to: query.to ?? null },
            pageOf(query)
          )
        )
    },
    privacyRequests: {
      list: ({ query = {} } = {}) => here(listPrivacyRequests(query.state ?? null, pageOf(query))),
      get: ({ params }) => here(getPrivacyRequest(params.id)),
      export: ({ params }) => here(exportPrivacyRequest(params.id)),
      complete: ({ params }) => here(completePrivacyRequest(params.id))
    },
    schedules: {
      list: ({ query = {} } = {}) => here(listSchedules(pageOf(query))),
      create: ({ payload }) => here(createSchedule(payload)),
      get: ({ params }) => here(getSchedule(params.id)),
      status: ({ params, query = {} }) => here(getScheduleStatus(params.id, query.at ?? null)),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateSchedule(params.id, payload, headers["if-match"] ?? null)),
      delete: ({ headers = {}, params }) => here(deleteSchedule(params.id, headers["if-match"] ?? null))
    },
    storeConnections: {
      list: ({ query = {} } = {}) => here(listStoreConnections(query.status ?? null, pageOf(query))),
      get: ({ params }) => here(getStoreConnection(params.id)),
      create: ({ payload }) => here(connectStore(payload)),
      update: ({ headers = {}, params, payload = {} }) =>
        here(updateStoreConnection(params.id, payload, headers["if-match"] ?? null)),
      delete: ({ headers = {}, params }) => here(removeStoreConnection(params.id, headers["if-match"] ?? null)),
      sync: ({ params, payload = {} }) => here(syncStore(params.id, payload.full === true)),
      authorize: ({ query: { shop, ...journey } }) => here(startStoreAuthorization(shop, journey)),
      listSkipped: ({ params, query = {} }) => here(listSkippedRecords(params.id, pageOf(query))),
      complete: ({ params, payload }) => here(completeStoreConnection(params.id, payload))
    },
    ...webhooksOnDatabase(here),
    ...workflowsOnDatabase(here),
    tokens: {
      list: ({ query = {} } = {}) => here(listAutomationTokens(pageOf(query))),
      issue: ({ payload }) =>
        here(
          Effect.map(issueAutomationToken(payload), ({ automationToken, token }) => ({ ...automationToken, token }))
        ),
      adopt: ({ params }) => here(adoptAutomationToken(params.id)),
      revoke: ({ params }) => here(revokeAutomationToken(params.id))
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
          const file = yield* receiveContactFile(bytes, maxImportBytes)
          return yield* importContacts(file, { ...request, format }).pipe(
            Effect.onError(() => Effect.ignore(dropContactFile(file.id)))
          )
        })
      ),
    working: here(
      Layer.launch(Layer.provide(layerWorkersOf(jobTasks, { lookMillis: 200, name: "contacts import" }), layerJobKinds))
    )
  }
})
