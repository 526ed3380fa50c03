import type { Timeline } from "../Timeline.ts"
import type { Action } from "./Action.ts"
import { makeAppEvents } from "./appEvents.ts"
import type { Catalog, Listed } from "./Catalog.ts"
import { totalsOf } from "./generate.ts"
import type { Outbox } from "./Outbox.ts"
import {
  checkoutPayload,
  customerPayload,
  deletedCheckoutPayload,
  deletedCustomerPayload,
  emailConsentPayload,
  fulfilmentEventPayload,
  fulfilmentPayload,
  orderEditPayload,
  orderPayload,
  productPayload,
  refundPayload,
  shopPayload,
  smsConsentPayload
} from "./payloads/index.ts"
import type { ShopCheckout, ShopCustomer, ShopLine, ShopOrder, ShopProduct } from "./Records.ts"
import { NotThere, type Shop, type World } from "./World.ts"

type Of<Kind extends Action["kind"]> = Extract<Action, { readonly kind: Kind }>

const existing = <Row extends Listed>(catalog: Catalog<Row>, id: number): Row => {
  const row = catalog.get(id)
  if (row === null) throw new NotThere(`There is no ${id}.`)
  return row
}

/** Behaviour of the simulated shops, shared by all interfaces. */
export const makeSimulation = (world: World, timeline: Timeline, outbox: Outbox) => {
  // The provider counts whole seconds, so several changes can have the same time.
  const now = () => Math.floor(timeline.now() / 1_000) * 1_000

  const shopOf = (domain: string): Shop => {
    const shop = world.shopAt(domain)
    if (shop === null) throw new NotThere(`There is no shop ${domain}.`)
    return shop
  }

  const putCustomer = (shop: Shop, customer: ShopCustomer, topic: string) => {
    shop.shelves.customers.put(customer)
    outbox.tell(shop, topic, customerPayload(shop, customer))
    return customer.id
  }

  const putOrder = (shop: Shop, order: ShopOrder, ...topics: ReadonlyArray<string>) => {
    shop.shelves.orders.put(order)
    for (const topic of topics) outbox.tell(shop, topic, orderPayload(shop, order))
    return order.id
  }

  const putCheckout = (shop: Shop, checkout: ShopCheckout, topic: string) => {
    shop.shelves.abandonedCheckouts.put(checkout)
    outbox.tell(shop, topic, checkoutPayload(shop, checkout))
    return checkout.id
  }

  const putProduct = (shop: Shop, product: ShopProduct, topic: string) => {
    shop.shelves.products.put(product)
    outbox.tell(shop, topic, productPayload(shop, product))
    return product.id
  }

  const changed = (
    customer: ShopCustomer,
    { emails, sms, whatsApp, ...action }: Of<"add_customer"> | Of<"change_customer">
  ): ShopCustomer => {
    const at = now()
    const {
      addressPhone = customer.addressPhone,
      email = customer.email,
      firstName = customer.firstName,
      lastName = customer.lastName,
      locale = customer.locale,
      phone = customer.phone,
      tags = customer.tags
    } = action
    return {
      ...customer,
      addressPhone,
      email,
      firstName,
      lastName,
      locale,
      phone,
      tags,
      sms: sms === undefined ? customer.sms : { state: sms, at },
      whatsApp: whatsApp === undefined ? customer.whatsApp : { state: whatsApp, at },
      emails: emails === undefined ? customer.emails : { state: emails, at },
      updatedAt: at
    }
  }

  const addCustomer = (shop: Shop, action: Of<"add_customer">) => {
    const at = now()
    const nobody: ShopCustomer = {
      id: shop.shelves.customers.nextId(),
      firstName: null,
      lastName: null,
      phone: null,
      addressPhone: null,
      email: null,
      locale: "en",
      tags: [],
      sms: { state: "NOT_SUBSCRIBED", at: null },
      whatsApp: { state: "NOT_SUBSCRIBED", at: null },
      emails: { state: "NOT_SUBSCRIBED", at: null },
      createdAt: at,
      updatedAt: at
    }
    return putCustomer(shop, changed(nobody, action), "CUSTOMERS_CREATE")
  }

  const changeCustomer = (shop: Shop, action: Of<"change_customer">) => {
    const before = existing(shop.shelves.customers, action.customer)
    const after = changed(before, action)
    if (action.sms !== undefined) outbox.tell(shop, "CUSTOMERS_MARKETING_CONSENT_UPDATE", smsConsentPayload(after))
    if (action.emails !== undefined) {
      outbox.tell(shop, "CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE", emailConsentPayload(after))
    }
    return putCustomer(shop, after, "CUSTOMERS_UPDATE")
  }

  const reportMerge = (shop: Shop, { kept, merged, status = "completed" }: Of<"merge_customers">) =>
    outbox.tell(shop, "CUSTOMERS_MERGE", {
      admin_graphql_api_customer_kept_id: `gid://shopify/Customer/${kept}`,
      admin_graphql_api_customer_deleted_id: `gid://shopify/Customer/${merged}`,
      admin_graphql_api_job_id: null,
      status,
      errors:
        status === "completed"
          ? []
          : [{ customer_ids: [kept], field: "merge_in_progress", message: "The customer is currently being merged." }]
    })

  const merge = (shop: Shop, action: Of<"merge_customers">) => {
    const { kept, merged } = action
    const { customers, orders } = shop.shelves
    const keeper = existing(customers, kept)
    const gone = existing(customers, merged)
    if (action.status === "failed") {
      reportMerge(shop, action)
      return kept
    }
    const at = now()
    for (const order of [...orders.all()].filter(({ customerId }) => customerId === merged)) {
      putOrder(shop, { ...order, customerId: kept, updatedAt: at }, "ORDERS_UPDATED")
    }
    customers.remove(merged)
    putCustomer(
      shop,
      { ...keeper, phone: keeper.phone ?? gone.phone, email: keeper.email ?? gone.email, updatedAt: at },
      "CUSTOMERS_UPDATE"
    )
    reportMerge(shop, action)
    return kept
  }

  const linesOf = (shop: Shop, id: number, items: Of<"buy">["items"]): ReadonlyArray<ShopLine> => {
    const first = shop.shelves.products.all().next().value
    const chosen = items ?? (first === undefined ? [] : [{ product: first.id }])
    return chosen.map((item, place): ShopLine => {
      const product = existing(shop.shelves.products, item.product)
      const { quantity = 1, variant: variantId } = { quantity: undefined, variant: undefined, ...item }
      const variant = product.variants.find(({ id }) => id === variantId) ?? product.variants[0]
      return {
        id: id * 10 + place,
        productId: product.id,
        variantId: variant?.id ?? null,
        sku: variant?.sku ?? null,
        title: product.title,
        variantTitle: variant?.title ?? null,
        quantity,
        currentQuantity: quantity,
        unit: variant?.price ?? 0,
        discount: 0
      }
    })
  }

  const buyerOf = (shop: Shop, { customer, email = null, phone = null }: Of<"buy"> | Of<"begin_checkout">) => {
    if (customer === undefined) return { customerId: null, phone, email }
    const known = existing(shop.shelves.customers, customer)
    return { customerId: known.id, phone: phone ?? known.phone, email: email ?? known.email }
  }

  const buy = (shop: Shop, action: Of<"buy">) => {
    const { checkout: checkoutId, paid = true, presentment, test = false } = action
    const checkout = checkoutId === undefined ? null : existing(shop.shelves.abandonedCheckouts, checkoutId)
    const id = shop.shelves.orders.nextId()
    const at = now()
    const lines = checkout?.lines ?? linesOf(shop, id, action.items)
    const { discount, shipping, tax, total } = totalsOf(lines, false, shop.scale)
    shop.ordersCount += 1
    const order: ShopOrder = {
      id,
      name: `#${1_000 + shop.ordersCount}`,
      ...(checkout === null
        ? buyerOf(shop, action)
        : { customerId: checkout.customerId, phone: checkout.phone, email: checkout.email }),
      checkoutToken: checkout?.token ?? `order${id.toString(36)}`,
      placedAt: at,
      updatedAt: at,
      cancelledAt: null,
      test,
      financial: paid ? "PAID" : "PENDING",
      fulfilment: "UNFULFILLED",
      lines,
      shipping,
      tax,
      discount,
      total,
      currentTotal: total,
      received: paid ? total : 0,
      refunds: [],
      fulfilments: [],
      presentment: presentment ?? { currency: shop.currency, total }
    }
    putOrder(shop, order, "ORDERS_CREATE", ...(paid ? ["ORDERS_PAID"] : []))
    if (checkout !== null) putCheckout(shop, { ...checkout, completedAt: at, updatedAt: at }, "CHECKOUTS_UPDATE")
    const customer = order.customerId === null ? null : shop.shelves.customers.get(order.customerId)
    if (customer !== null) putCustomer(shop, { ...customer, updatedAt: at }, "CUSTOMERS_UPDATE")
    return id
  }

  const fulfil = (shop: Shop, { order: orderId, partial = false, status = "IN_TRANSIT" }: Of<"fulfil">) => {
    const order = existing(shop.shelves.orders, orderId)
    const at = now()
    const [first] = order.fulfilments
    const fulfilment = {
      ...(first ?? {
        id: order.id * 10,
        company: "DHL",
        number: `JD${order.id}`,
        url: `https://track.example.com/JD${order.id}`,
        createdAt: at
      }),
      status,
      updatedAt: at
    }
    putOrder(
      shop,
      {
        ...order,
        fulfilment: partial ? "PARTIALLY_FULFILLED" : "FULFILLED",
        fulfilments: [fulfilment],
        updatedAt: at
      },
      "ORDERS_UPDATED",
      ...(first === undefined ? [partial ? "ORDERS_PARTIALLY_FULFILLED" : "ORDERS_FULFILLED"] : [])
    )
    outbox.tell(
      shop,
      first === undefined ? "FULFILLMENTS_CREATE" : "FULFILLMENTS_UPDATE",
      fulfilmentPayload(shop, order, fulfilment)
    )
    outbox.tell(shop, "FULFILLMENT_EVENTS_CREATE", fulfilmentEventPayload(shop, order, fulfilment))
    return order.id
  }

  const refund = (shop: Shop, { amount, order: orderId, returned = false }: Of<"refund">) => {
    const order = existing(shop.shelves.orders, orderId)
    const at = now()
    const before = order.refunds.reduce((sum, each) => sum + each.amount, 0)
    const given = Math.min(amount ?? order.received - before, order.received - before)
    const made = { id: order.id * 10 + order.refunds.length, amount: given, at }
    putOrder(
      shop,
      {
        ...order,
        refunds: [...order.refunds, made],
        financial: before + given >= order.received ? "REFUNDED" : "PARTIALLY_REFUNDED",
        lines: returned ? order.lines.map((line) => ({ ...line, currentQuantity: 0 })) : order.lines,
        currentTotal: returned ? Math.max(0, order.currentTotal - given) : order.currentTotal,
        updatedAt: at
      },
      "ORDERS_UPDATED"
    )
    outbox.tell(shop, "REFUNDS_CREATE", refundPayload(shop, order, made))
    return made.id
  }

  const edit = (shop: Shop, { order: orderId }: Of<"edit">) => {
    const order = existing(shop.shelves.orders, orderId)
    const taken = order.lines.at(-1)
    const lines = order.lines.map((line) => (line === taken ? { ...line, currentQuantity: 0 } : line))
    const less = taken === undefined ? 0 : taken.unit * taken.currentQuantity - taken.discount
    const at = now()
    outbox.tell(shop, "ORDERS_EDITED", orderEditPayload(order, taken, at))
    return putOrder(
      shop,
      { ...order, lines, currentTotal: Math.max(0, order.currentTotal - less), updatedAt: at },
      "ORDERS_UPDATED"
    )
  }

  const beginCheckout = (shop: Shop, action: Of<"begin_checkout">) => {
    const id = shop.shelves.abandonedCheckouts.nextId()
    const at = now() - (action.ago ?? 0) * 1_000
    const lines = linesOf(shop, id, action.items)
    const checkout: ShopCheckout = {
      id,
      token: `cart${id.toString(36)}`,
      ...buyerOf(shop, action),
      lines,
      total: totalsOf(lines, true, shop.scale).total,
      createdAt: at,
      updatedAt: at,
      completedAt: null
    }
    return putCheckout(shop, checkout, "CHECKOUTS_CREATE")
  }

  const changeCheckout = (shop: Shop, { checkout: id, items }: Of<"change_checkout">) => {
    const before = existing(shop.shelves.abandonedCheckouts, id)
    const lines = items === undefined ? before.lines : linesOf(shop, id, items)
    const total = totalsOf(lines, true, shop.scale).total
    return putCheckout(shop, { ...before, lines, total, updatedAt: now() }, "CHECKOUTS_UPDATE")
  }

  const addProduct = (shop: Shop, { price, title, variants = 1 }: Of<"add_product">) => {
    const id = shop.shelves.products.nextId()
    const at = now()
    const product: ShopProduct = {
      id,
      title,
      handle: title.toLowerCase().replaceAll(/\W+/gu, "-"),
      status: "ACTIVE",
      variants: Array.from({ length: variants }, (_, place) => ({
        id: id * 10_000 + place,
        title: variants === 1 ? "Default Title" : `Variant ${place + 1}`,
        sku: null,
        price,
        available: true
      })),
      createdAt: at,
      updatedAt: at
    }
    return putProduct(shop, product, "PRODUCTS_CREATE")
  }

  const changeProduct = (shop: Shop, { price, product: id, status, title }: Of<"change_product">) => {
    const before = existing(shop.shelves.products, id)
    return putProduct(
      shop,
      {
        ...before,
        title: title ?? before.title,
        status: status ?? before.status,
        variants: before.variants.map((variant) => ({ ...variant, price: price ?? variant.price })),
        updatedAt: now()
      },
      "PRODUCTS_UPDATE"
    )
  }

  const remove = (shop: Shop, shelf: keyof Shop["shelves"], id: number, topic: string, payload: object = { id }) => {
    existing<Listed>(shop.shelves[shelf], id)
    shop.shelves[shelf].remove(id)
    outbox.tell(shop, topic, payload)
    return id
  }

  const deleteCustomer = (shop: Shop, { customer }: Of<"delete_customer">) => {
    const payload = deletedCustomerPayload(existing(shop.shelves.customers, customer))
    return remove(shop, "customers", customer, "CUSTOMERS_DELETE", payload)
  }

  const deleteCheckout = (shop: Shop, { checkout }: Of<"delete_checkout">) => {
    const payload = deletedCheckoutPayload(shop, existing(shop.shelves.abandonedCheckouts, checkout))
    return remove(shop, "abandonedCheckouts", checkout, "CHECKOUTS_DELETE", payload)
  }

  const rename = (shop: Shop, { name, to }: Of<"rename">) => {
    shop.formerDomains.add(shop.domain)
    shop.formerDomains.delete(to)
    shop.domain = to
    shop.name = name ?? shop.name
    outbox.tell(shop, "SHOP_UPDATE", shopPayload(shop))
    return shop.id
  }

  const app = makeAppEvents(world, timeline, outbox)

  const corrupt = (shop: Shop, { collection, id, repaired = false }: Of<"corrupt">) => {
    existing<Listed>(shop.shelves[collection], id)
    if (repaired) shop.corrupted.delete(`${collection} ${id}`)
    else shop.corrupted.add(`${collection} ${id}`)
    return id
  }

  /** Triggers an event. Returns the id of its subject. */
  const act = (action: Action): number => {
    const shop = shopOf(action.shop)
    outbox.beginEvent()
    const { orders } = shop.shelves
    switch (action.kind) {
      case "add_customer":
        return addCustomer(shop, action)
      case "change_customer":
        return changeCustomer(shop, action)
      case "delete_customer":
        return deleteCustomer(shop, action)
      case "merge_customers":
        return merge(shop, action)
      case "buy":
        return buy(shop, action)
      case "pay": {
        const order = existing(orders, action.order)
        const paid = { ...order, financial: "PAID" as const, received: order.currentTotal, updatedAt: now() }
        return putOrder(shop, paid, "ORDERS_UPDATED", "ORDERS_PAID")
      }
      case "corrupt":
        return corrupt(shop, action)
      case "fulfil":
        return fulfil(shop, action)
      case "refund":
        return refund(shop, action)
      case "cancel": {
        const at = now()
        const cancelled = { ...existing(orders, action.order), cancelledAt: at, updatedAt: at }
        return putOrder(shop, cancelled, "ORDERS_UPDATED", "ORDERS_CANCELLED")
      }
      case "edit":
        return edit(shop, action)
      case "delete_order":
        return remove(shop, "orders", action.order, "ORDERS_DELETE")
      case "begin_checkout":
        return beginCheckout(shop, action)
      case "change_checkout":
        return changeCheckout(shop, action)
      case "delete_checkout":
        return deleteCheckout(shop, action)
      case "add_product":
        return addProduct(shop, action)
      case "change_product":
        return changeProduct(shop, action)
      case "delete_product":
        return remove(shop, "products", action.product, "PRODUCTS_DELETE")
      case "rename":
        return rename(shop, action)
      case "uninstall":
        return app.uninstall(shop)
      case "change_scopes":
        return app.changeScopes(shop, action.scopes)
      case "protect":
        shop.protectedFields = new Set(action.fields)
        return shop.id
      case "close":
        shop.closed = action.status
        return shop.id
      case "request_data":
        return app.aboutCustomer(shop, "customers/data_request", action.customer)
      case "redact_customer":
        return app.aboutCustomer(shop, "customers/redact", action.customer)
      case "redact_shop":
        return app.redactShop(shop)
    }
  }

  return {
    act,
    shopOf,
    uninstall: (shop: Shop) => {
      outbox.beginEvent()
      app.uninstall(shop)
    },
    finishExport: app.finishExport
  }
}
export type Simulation = ReturnType<typeof makeSimulation>
