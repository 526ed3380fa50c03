import { Effect } from "effect"
import {
  givenEndpoint,
  givenNumber,
  givenSubmitted,
  givenTemplate,
  givenUnverified,
  newNumber,
  newSignup
} from "../../inbox.ts"
import { freshPhone, freshText } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onNumber =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ id, body }))

const onUnverified =
  (body: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenUnverified(tenant.organization, "123830"), ({ id }) => ({ id, body }))

const onTemplate =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenTemplate(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "chatAccounts.list": nothing,
  "chatAccounts.create": () => Effect.map(newNumber, (body) => ({ body })),
  "chatAccounts.get": onNumber(),
  "chatAccounts.update": onNumber({ displayName: "Corner Bakery, orders" }),
  "chatAccounts.delete": onNumber(),
  "chatAccounts.check": onNumber(),
  "chatAccounts.onboarding": onNumber(),
  "chatAccounts.addNumber": ({ tenant }) =>
    Effect.map(Effect.all([givenNumber(tenant.organization), freshPhone]), ([{ id }, phone]) => ({
      id,
      body: { phone, verifiedName: "Corner Bakery" }
    })),
  "chatAccounts.requestCode": onUnverified({ method: "sms" }),
  "chatAccounts.verifyCode": onUnverified({ code: "123830" }),
  "chatAccounts.register": onNumber({}),
  "chatAccounts.deregister": onNumber(),
  "chatAccounts.changePin": onNumber({}),
  "chatAccounts.subscribe": onNumber({}),
  "chatAccounts.rotateSecret": ({ tenant }) => Effect.map(givenEndpoint(tenant.organization), ({ id }) => ({ id })),
  "chatAccounts.platformApp": nothing,
  "chatAccounts.connectThroughPlatformApp": () => Effect.map(newSignup, (body) => ({ body })),
  "messageTemplates.list": nothing,
  "messageTemplates.create": ({ tenant }) =>
    Effect.map(Effect.all([givenNumber(tenant.organization), freshText("greeting")]), ([account, name]) => ({
      body: {
        chatAccountId: account.id,
        name: name.replaceAll("-", "_"),
        language: "en",
        category: "utility",
        components: { body: { text: "Your order is ready." } }
      }
    })),
  "messageTemplates.get": onTemplate(),
  "messageTemplates.update": onTemplate({ components: { body: { text: "Your order is here." } } }),
  "messageTemplates.edit": ({ tenant }) =>
    Effect.map(givenSubmitted(tenant.organization), ({ id }) => ({
      id,
      body: { components: { body: { text: "Your order is here." } } }
    })),
  "messageTemplates.unpause": ({ tenant }) =>
    Effect.map(givenSubmitted(tenant.organization, "paused"), ({ id }) => ({ id })),
  "messageTemplates.archive": ({ tenant }) => Effect.map(givenSubmitted(tenant.organization), ({ id }) => ({ id })),
  "messageTemplates.unarchive": ({ tenant }) =>
    Effect.map(givenSubmitted(tenant.organization, "archived"), ({ id }) => ({ id })),
  "messageTemplates.upsertAuthentication": ({ tenant }) =>
    Effect.map(Effect.all([givenNumber(tenant.organization), freshText("login")]), ([account, name]) => ({
      body: {
        chatAccountId: account.id,
        name: name.replaceAll("-", "_"),
        languages: ["en", "de"],
        authentication: { transfer: "copy_code", expiryMinutes: 5 }
      }
    })),
  "messageTemplates.library": ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ query: `?chatAccountId=${id}` })),
  "messageTemplates.createFromLibrary": ({ tenant }) =>
    Effect.map(Effect.all([givenNumber(tenant.organization), freshText("delivery")]), ([account, name]) => ({
      body: {
        chatAccountId: account.id,
        libraryName: "delivery_update_1",
        name: name.replaceAll("-", "_"),
        language: "en",
        category: "utility"
      }
    })),
  "messageTemplates.delete": onTemplate(),
  "messageTemplates.submit": onTemplate(),
  "messageTemplates.preview": onTemplate({ values: {} }),
  "messageTemplates.previewContent": () =>
    Effect.succeed({ body: { category: "utility", components: { body: { text: "Your order is ready." } } } }),
  "messageTemplates.sync": ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ body: { chatAccountId: id } }))
}
