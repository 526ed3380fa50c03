import {
  addChatNumber,
  archiveMessageTemplate,
  changeRegistrationPin,
  type ChatAccountId,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  createLibraryMessageTemplate,
  createMessageTemplate,
  deleteMessageTemplate,
  deregisterChatAccount,
  editMessageTemplate,
  getChatAccount,
  getMessageTemplate,
  getOnboarding,
  getPlatformApp,
  listChatAccounts,
  listLibraryTemplates,
  listMessageTemplates,
  type OrganizationId,
  previewMessageTemplate,
  previewTemplateContent,
  receiveAccountDelivery,
  receiveChatDelivery,
  registerChatAccount,
  removeChatAccount,
  requestVerificationCode,
  rotateChatSecret,
  submitMessageTemplate,
  subscribeChatAccount,
  syncMessageTemplates,
  unarchiveMessageTemplate,
  unpauseMessageTemplate,
  updateChatAccount,
  updateMessageTemplate,
  upsertAuthenticationTemplates,
  verifyChatWebhook,
  verifyNumber
} from "@parley/domain"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import { plainParameters, rawBody } from "../requestParts.ts"
import { inQuery } from "./contacts.ts"

export const layerChatAccounts = HttpApiBuilder.group(Api, "chatAccounts", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listChatAccounts({ page: pageOf(query) }),
    create: ({ payload }) => connectChatAccount(payload),
    get: ({ params }) => getChatAccount(params),
    update: ({ headers, params, payload }) =>
      updateChatAccount({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => removeChatAccount({ ...params, ifVersion: expectedVersion(headers) }),
    check: ({ params }) => checkChatAccount(params),
    onboarding: ({ params }) => getOnboarding(params),
    addNumber: ({ params, payload }) => addChatNumber({ ...params, ...payload }),
    requestCode: ({ params, payload }) => requestVerificationCode({ ...params, ...payload }),
    verifyCode: ({ params, payload }) => verifyNumber({ ...params, ...payload }),
    register: ({ params, payload }) => registerChatAccount({ ...params, ...payload }),
    deregister: ({ params }) => deregisterChatAccount(params),
    changePin: ({ params, payload }) => changeRegistrationPin({ ...params, ...payload }),
    subscribe: ({ params, payload }) => subscribeChatAccount({ ...params, ...payload }),
    rotateSecret: ({ params }) => rotateChatSecret(params),
    platformApp: () => getPlatformApp(),
    connectThroughPlatformApp: ({ payload }) => connectThroughPlatformApp(payload)
  })
)

export const layerMessageTemplates = HttpApiBuilder.group(Api, "messageTemplates", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { chatAccountId, name, status, ...page } }) =>
      listMessageTemplates({
        chatAccountId: chatAccountId ?? null,
        status: status ?? null,
        name: name ?? null,
        page: pageOf(page)
      }).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createMessageTemplate(payload),
    get: ({ params }) => getMessageTemplate(params),
    update: ({ headers, params, payload }) =>
      updateMessageTemplate({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteMessageTemplate({ ...params, ifVersion: expectedVersion(headers) }),
    edit: ({ headers, params, payload }) =>
      editMessageTemplate({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    unpause: ({ params }) => unpauseMessageTemplate(params),
    archive: ({ params }) => archiveMessageTemplate(params),
    unarchive: ({ params }) => unarchiveMessageTemplate(params),
    upsertAuthentication: ({ payload }) => upsertAuthenticationTemplates(payload),
    library: ({ query }) => listLibraryTemplates(query).pipe(withFaultPointers(inQuery)),
    createFromLibrary: ({ payload }) => createLibraryMessageTemplate(payload),
    submit: ({ params }) => submitMessageTemplate(params),
    preview: ({ params, payload }) => previewMessageTemplate({ ...params, ...payload }),
    previewContent: ({ payload }) => previewTemplateContent(payload),
    sync: ({ payload }) => syncMessageTemplates(payload)
  })
)

const verify = (organizationId: OrganizationId | null, query: Readonly<Record<string, unknown>>) =>
  Effect.map(verifyChatWebhook({ organizationId, query: plainParameters(query) }), (challenge) =>
    HttpServerResponse.text(challenge)
  )

interface Account {
  readonly organization_id: OrganizationId
  readonly chat_account_id: ChatAccountId
}

const accepted = HttpServerResponse.empty({ status: 200 })

/** Endpoints for the chat provider. Reads deliveries raw, because a signed delivery is never rejected for its media type. */
export const layerChatWebhooks = HttpApiBuilder.group(Api, "chatWebhooks", (handlers) =>
  Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
    const read = rawBody(maxWebhookBytes)
    const receive = (organizationId: OrganizationId | null, request: HttpServerRequest.HttpServerRequest) =>
      read(request).pipe(
        Effect.flatMap((body) => receiveChatDelivery({ organizationId, headers: request.headers, body })),
        Effect.as(accepted)
      )
    const receiveFor = (
      { chat_account_id: account, organization_id: organization }: Account,
      request: HttpServerRequest.HttpServerRequest
    ) =>
      read(request).pipe(
        Effect.flatMap((body) =>
          receiveAccountDelivery({
            organizationId: organization,
            chatAccountId: account,
            headers: request.headers,
            body
          })
        ),
        Effect.as(accepted)
      )
    return withAnswerWriters(handlers)
      .handleAll({
        verifyPlatform: ({ query }) => verify(null, query),
        verifyOwn: ({ params, query }) => verify(params.organization_id, query),
        verifyPlatformUnderPrefix: ({ query }) => verify(null, query),
        verifyOwnUnderPrefix: ({ params, query }) => verify(params.organization_id, query)
      })
      .handleRaw("receivePlatform", ({ request }) => receive(null, request))
      .handleRaw("receiveOwn", ({ params, request }) => receive(params.organization_id, request))
      .handleRaw("receiveForAccount", ({ params, request }) => receiveFor(params, request))
      .handleRaw("receiveForAccountUnderPrefix", ({ params, request }) => receiveFor(params, request))
      .handleRaw("receivePlatformUnderPrefix", ({ request }) => receive(null, request))
      .handleRaw("receiveOwnUnderPrefix", ({ params, request }) => receive(params.organization_id, request))
  })
)
