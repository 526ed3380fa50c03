import {
  archiveMessageTemplate,
  createLibraryMessageTemplate,
  createMessageTemplate,
  deleteMessageTemplate,
  editMessageTemplate,
  getMessageTemplate,
  listLibraryTemplates,
  listMessageTemplates,
  MessageTemplate,
  previewMessageTemplate,
  previewTemplateContent,
  submitMessageTemplate,
  syncMessageTemplates,
  unarchiveMessageTemplate,
  unpauseMessageTemplate,
  updateMessageTemplate,
  upsertAuthenticationTemplates
} from "@parley/domain/messaging"
import { MessageTemplatesApi } from "../../../api/messageTemplates.ts"
import { chatAccount, messageTemplate } from "../../examples/inbox.ts"
import { at, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const { category, components, language, name } = messageTemplate

const draft = new MessageTemplate({
  ...messageTemplate,
  status: "draft",
  quality: "unknown",
  externalId: null,
  updatedAt: messageTemplate.createdAt,
  version: 1
})

const shorter = { body: { text: "Hello {{first_name}}, your order is ready.", examples: { first_name: "Marie" } } }

const authentication = { transfer: "copy_code", securityRecommendation: true, expiryMinutes: 10 } as const

const loginCode = (language: string, externalId: string) =>
  new MessageTemplate({
    ...draft,
    name: "login_code",
    language,
    category: "authentication",
    components: { authentication },
    variables: [{ key: "code", in: "body", kind: "one_time_code" }],
    status: "approved",
    externalId
  })

export const messageTemplates = bind(MessageTemplatesApi, {
  list: { runs: listMessageTemplates, response: samplePage(messageTemplate) },
  create: {
    runs: createMessageTemplate,
    request: { chatAccountId: chatAccount.id, name, language, category, components },
    response: draft
  },
  get: { runs: getMessageTemplate, response: messageTemplate },
  update: {
    runs: updateMessageTemplate,
    request: { components: shorter },
    response: new MessageTemplate({
      ...draft,
      components: shorter,
      variables: [{ key: "body.first_name", in: "body", kind: "text" }],
      updatedAt: at("13:08:00.000"),
      version: 2
    })
  },
  edit: {
    runs: editMessageTemplate,
    request: { components: shorter },
    response: new MessageTemplate({
      ...messageTemplate,
      components: shorter,
      variables: [{ key: "body.first_name", in: "body", kind: "text" }],
      editTimes: [at("13:09:00.000")],
      updatedAt: at("13:09:00.000"),
      version: 4
    })
  },
  unpause: { runs: unpauseMessageTemplate, response: messageTemplate },
  archive: {
    runs: archiveMessageTemplate,
    response: new MessageTemplate({
      ...messageTemplate,
      status: "archived",
      updatedAt: at("13:11:00.000"),
      version: 4
    })
  },
  unarchive: { runs: unarchiveMessageTemplate, response: messageTemplate },
  upsertAuthentication: {
    runs: upsertAuthenticationTemplates,
    request: {
      chatAccountId: chatAccount.id,
      name: "login_code",
      languages: ["en-US", "es-ES"],
      authentication
    },
    response: { data: [loginCode("en-US", "954638012257287"), loginCode("es-ES", "969725527415202")] }
  },
  library: {
    runs: listLibraryTemplates,
    response: {
      data: [
        {
          id: "7147013345418927",
          name: "delivery_update_1",
          language: "en-US",
          category: "utility",
          topic: "ORDER_MANAGEMENT",
          useCase: "DELIVERY_UPDATE",
          industries: ["E_COMMERCE"],
          header: null,
          body: "Good news! Your order #{{1}} is on its way to {{2}}.",
          bodyTypes: ["TEXT", "ADDRESS"],
          bodyExamples: ["1867", "12 Mill Lane"],
          buttons: [{ type: "url", text: "Track your order", url: "https://www.example.com/{{1}}", phone: null }]
        }
      ]
    }
  },
  createFromLibrary: {
    runs: createLibraryMessageTemplate,
    request: {
      chatAccountId: chatAccount.id,
      libraryName: "delivery_update_1",
      name: "my_delivery_update",
      language: "en-US",
      category: "utility",
      buttons: [
        {
          type: "url",
          url: "https://bluebakery.example/orders/{{1}}",
          example: "https://bluebakery.example/orders/1867"
        }
      ]
    },
    response: new MessageTemplate({
      ...messageTemplate,
      name: "my_delivery_update",
      libraryName: "delivery_update_1",
      components: { body: { text: "Good news! Your order #{{1}} is on its way to {{2}}." } },
      variables: [
        { key: "body.1", in: "body", kind: "text" },
        { key: "body.2", in: "body", kind: "text" }
      ],
      version: 1
    })
  },
  delete: { runs: deleteMessageTemplate },
  submit: {
    runs: submitMessageTemplate,
    response: new MessageTemplate({
      ...draft,
      status: "pending",
      externalId: messageTemplate.externalId,
      updatedAt: at("13:10:00.000"),
      version: 2
    })
  },
  preview: {
    runs: previewMessageTemplate,
    request: { values: { "body.first_name": "Marie", "body.order": "1867", "buttons.0": "1867" } },
    response: {
      header: null,
      body: "Hello Marie, your order 1867 is ready.",
      footer: "Blue Bakery",
      buttons: [{ type: "url", text: "See the order", value: "https://bluebakery.example/orders" }]
    }
  },
  previewContent: {
    runs: previewTemplateContent,
    request: {
      category: "utility",
      components: {
        body: {
          text: "Hello {{first_name}}, your order {{order}} is ready.",
          examples: { first_name: "Marie", order: "1867" }
        },
        footer: { text: "Blue Bakery" },
        buttons: [
          { type: "url", text: "See the order", url: "https://bluebakery.example/orders/{{1}}", example: "1867" }
        ]
      }
    },
    response: {
      header: null,
      body: "Hello Marie, your order 1867 is ready.",
      footer: "Blue Bakery",
      buttons: [{ type: "url", text: "See the order", value: "https://bluebakery.example/orders/1867" }]
    }
  },
  sync: {
    runs: syncMessageTemplates,
    request: { chatAccountId: chatAccount.id },
    response: { created: 3, updated: 1, unchanged: 12, missing: 0 }
  }
})
