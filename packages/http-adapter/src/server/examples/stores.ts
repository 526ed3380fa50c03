import { StoreConnectionId, StoreConnectionView, StoreCustomer, StoreCustomerId } from "@parley/domain/commerce"
import { Redacted } from "effect"
import { at, contact } from "./samples.ts"

export const storeConnection = new StoreConnectionView({
  id: StoreConnectionId.make("01934c10-1a2b-7c3d-8e4f-50617283a4b5"),
  provider: "shopify",
  shopDomain: "blue-bakery.myshopify.com",
  name: "Blue Bakery",
  currency: "EUR",
  status: "connected",
  scopes: ["read_customers", "read_orders", "read_products"],
  makeContacts: "reachable",
  takeConsent: false,
  cartAbandonedAfterMinutes: 60,
  ordersSince: at("08:00:00.000"),
  sync: { state: "done", phase: null, progress: { done: 1_204, total: 1_204 }, jobId: null },
  freshness: { state: "live", asOf: at("14:10:00.000") },
  skippedRecords: 0,
  lastSyncedAt: at("14:10:02.000"),
  lastError: null,
  connectedAt: at("08:30:00.000"),
  createdAt: at("08:29:00.000"),
  updatedAt: at("14:10:02.000"),
  version: 5
})

export const { id: storeConnectionId } = storeConnection

export const customer = new StoreCustomer({
  id: StoreCustomerId.make("01934c12-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/Customer/7123",
  name: contact.name,
  phone: contact.phone,
  email: contact.email,
  locale: contact.locale,
  tags: ["vip"],
  smsConsent: "subscribed",
  chatConsent: "unknown",
  emailConsent: "unknown",
  contactId: contact.id,
  linkedBy: "phone",
  conflictContactId: null,
  createdAt: at("08:31:10.000"),
  updatedAt: at("08:31:10.000")
})

export const journeyCode = Redacted.make("pXk3l0yA5dTqY8fWm2cZ7uRbN1vHs9eGj4oIt6xQaLw")
