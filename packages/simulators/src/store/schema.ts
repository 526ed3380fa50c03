/** The simulated part of the provider's newest schema, in the words of the provider. */
export const newestDefinitions = /* GraphQL */ `
  schema {
    query: QueryRoot
    mutation: Mutation
  }

  scalar DateTime
  scalar Decimal
  scalar Money
  scalar URL
  scalar UnsignedInt64

  interface Node {
    id: ID!
  }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
  }

  type MoneyV2 {
    amount: Decimal!
    currencyCode: String!
  }

  type MoneyBag {
    presentmentMoney: MoneyV2!
    shopMoney: MoneyV2!
  }

  type ShopAddress {
    countryCodeV2: String
  }

  type Shop implements Node {
    currencyCode: String!
    id: ID!
    myshopifyDomain: String!
    name: String!
    shopAddress: ShopAddress!
  }

  type MailingAddress {
    firstName: String
    lastName: String
    phone: String
  }

  type CustomerEmailAddress {
    emailAddress: String!
    marketingState: CustomerEmailAddressMarketingState!
    marketingUpdatedAt: DateTime
  }

  enum CustomerEmailAddressMarketingState {
    INVALID
    NOT_SUBSCRIBED
    PENDING
    SUBSCRIBED
    UNSUBSCRIBED
  }

  type CustomerPhoneNumber {
    marketingState: CustomerSmsMarketingState!
    marketingUpdatedAt: DateTime
    phoneNumber: String!
    smsMarketingConsent: CustomerSmsMarketingConsent!
    whatsAppMarketingConsent: CustomerWhatsAppMarketingConsent!
  }

  type CustomerSmsMarketingConsent {
    state: CustomerMarketingConsentState!
    updatedAt: DateTime
  }

  type CustomerWhatsAppMarketingConsent {
    state: CustomerMarketingConsentState!
    updatedAt: DateTime
  }

  enum CustomerMarketingConsentState {
    NEVER_SUBSCRIBED
    PENDING
    REDACTED
    SUBSCRIBED
    UNSUBSCRIBED
  }

  enum CustomerSmsMarketingState {
    NOT_SUBSCRIBED
    PENDING
    REDACTED
    SUBSCRIBED
    UNSUBSCRIBED
  }

  type Customer implements Node {
    defaultAddress: MailingAddress
    defaultEmailAddress: CustomerEmailAddress
    defaultPhoneNumber: CustomerPhoneNumber
    displayName: String!
    firstName: String
    id: ID!
    lastName: String
    locale: String!
    tags: [String!]!
    updatedAt: DateTime!
  }

  type CustomerConnection {
    edges: [CustomerEdge!]!
    nodes: [Customer!]!
    pageInfo: PageInfo!
  }

  type CustomerEdge {
    cursor: String!
    node: Customer!
  }

  enum CustomerSortKeys {
    CREATED_AT
    ID
    UPDATED_AT
  }

  type Image {
    url: URL!
  }

  type MediaPreviewImage {
    image: Image
  }

  interface Media {
    id: ID!
    preview: MediaPreviewImage
  }

  type MediaImage implements Media & Node {
    id: ID!
    preview: MediaPreviewImage
  }

  enum ProductStatus {
    ACTIVE
    ARCHIVED
    DRAFT
    UNLISTED
  }

  type Product implements Node {
    featuredMedia: Media
    id: ID!
    onlineStoreUrl: URL
    status: ProductStatus!
    title: String!
    updatedAt: DateTime!
    variants(after: String, first: Int): ProductVariantConnection!
  }

  type ProductConnection {
    edges: [ProductEdge!]!
    nodes: [Product!]!
    pageInfo: PageInfo!
  }

  type ProductEdge {
    cursor: String!
    node: Product!
  }

  enum ProductSortKeys {
    CREATED_AT
    ID
    UPDATED_AT
  }

  type ProductVariant implements Node {
    availableForSale: Boolean!
    id: ID!
    price: Money!
    sku: String
    title: String!
  }

  type ProductVariantConnection {
    edges: [ProductVariantEdge!]!
    nodes: [ProductVariant!]!
    pageInfo: PageInfo!
  }

  type ProductVariantEdge {
    cursor: String!
    node: ProductVariant!
  }

  enum OrderDisplayFinancialStatus {
    AUTHORIZED
    EXPIRED
    PAID
    PARTIALLY_PAID
    PARTIALLY_REFUNDED
    PENDING
    REFUNDED
    VOIDED
  }

  enum OrderDisplayFulfillmentStatus {
    FULFILLED
    FULFILLMENT_NOT_REQUIRED
    IN_PROGRESS
    ON_HOLD
    OPEN
    PARTIALLY_FULFILLED
    PENDING_FULFILLMENT
    REQUEST_DECLINED
    RESTOCKED
    SCHEDULED
    UNFULFILLED
  }

  type Order implements Node {
    cancelledAt: DateTime
    checkoutToken: String
    createdAt: DateTime!
    currentTotalPriceSet: MoneyBag!
    customer: Customer
    displayFinancialStatus: OrderDisplayFinancialStatus
    displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
    email: String
    fulfillments(first: Int): [Fulfillment!]!
    id: ID!
    lineItems(after: String, first: Int): LineItemConnection!
    name: String!
    phone: String
    processedAt: DateTime!
    refunds(first: Int): [Refund!]!
    shippingAddress: MailingAddress
    statusPageUrl: URL!
    test: Boolean!
    totalDiscountsSet: MoneyBag
    totalPriceSet: MoneyBag!
    totalReceivedSet: MoneyBag!
    totalRefundedSet: MoneyBag!
    totalShippingPriceSet: MoneyBag!
    totalTaxSet: MoneyBag
    updatedAt: DateTime!
  }

  type OrderConnection {
    edges: [OrderEdge!]!
    nodes: [Order!]!
    pageInfo: PageInfo!
  }

  type OrderEdge {
    cursor: String!
    node: Order!
  }

  enum OrderSortKeys {
    CREATED_AT
    ID
    PROCESSED_AT
    UPDATED_AT
  }

  type LineItem implements Node {
    currentQuantity: Int!
    id: ID!
    image: Image
    originalUnitPriceSet: MoneyBag!
    product: Product
    quantity: Int!
    sku: String
    title: String!
    totalDiscountSet: MoneyBag!
    variant: ProductVariant
    variantTitle: String
  }

  type LineItemConnection {
    edges: [LineItemEdge!]!
    nodes: [LineItem!]!
    pageInfo: PageInfo!
  }

  type LineItemEdge {
    cursor: String!
    node: LineItem!
  }

  enum FulfillmentDisplayStatus {
    ATTEMPTED_DELIVERY
    CANCELED
    CARRIER_PICKED_UP
    CONFIRMED
    DELAYED
    DELIVERED
    FAILURE
    FULFILLED
    IN_TRANSIT
    LABEL_PRINTED
    LABEL_PURCHASED
    LABEL_VOIDED
    MARKED_AS_FULFILLED
    NOT_DELIVERED
    OUT_FOR_DELIVERY
    PICKED_UP
    READY_FOR_PICKUP
    SUBMITTED
  }

  type Fulfillment implements Node {
    createdAt: DateTime!
    displayStatus: FulfillmentDisplayStatus
    id: ID!
    trackingInfo(first: Int): [FulfillmentTrackingInfo!]!
    updatedAt: DateTime!
  }

  type FulfillmentTrackingInfo {
    company: String
    number: String
    url: URL
  }

  type Refund implements Node {
    createdAt: DateTime
    id: ID!
    processedAt: DateTime!
    totalRefundedSet: MoneyBag!
  }

  type AbandonedCheckout implements Node {
    abandonedCheckoutUrl: URL!
    completedAt: DateTime
    createdAt: DateTime!
    customer: Customer
    id: ID!
    lineItems(after: String, first: Int): AbandonedCheckoutLineItemConnection!
    shippingAddress: MailingAddress
    totalPriceSet: MoneyBag!
    updatedAt: DateTime!
  }

  type AbandonedCheckoutConnection {
    edges: [AbandonedCheckoutEdge!]!
    nodes: [AbandonedCheckout!]!
    pageInfo: PageInfo!
  }

  type AbandonedCheckoutEdge {
    cursor: String!
    node: AbandonedCheckout!
  }

  enum AbandonedCheckoutSortKeys {
    CREATED_AT
    ID
  }

  type AbandonedCheckoutLineItem implements Node {
    discountedTotalPriceSet: MoneyBag!
    id: ID!
    image: Image
    originalUnitPriceSet: MoneyBag!
    product: Product
    quantity: Int!
    sku: String
    title: String
    variant: ProductVariant
    variantTitle: String
  }

  type AbandonedCheckoutLineItemConnection {
    edges: [AbandonedCheckoutLineItemEdge!]!
    nodes: [AbandonedCheckoutLineItem!]!
    pageInfo: PageInfo!
  }

  type AbandonedCheckoutLineItemEdge {
    cursor: String!
    node: AbandonedCheckoutLineItem!
  }

  enum BulkOperationStatus {
    CANCELED
    CANCELING
    COMPLETED
    CREATED
    EXPIRED
    FAILED
    RUNNING
  }

  enum BulkOperationErrorCode {
    ACCESS_DENIED
    INTERNAL_SERVER_ERROR
    TIMEOUT
  }

  type BulkOperation implements Node {
    errorCode: BulkOperationErrorCode
    id: ID!
    rootObjectCount: UnsignedInt64!
    status: BulkOperationStatus!
    url: URL
  }

  enum BulkOperationUserErrorCode {
    INVALID
    LIMIT_REACHED
    OPERATION_IN_PROGRESS
  }

  type BulkOperationUserError {
    code: BulkOperationUserErrorCode
    field: [String!]
    message: String!
  }

  type BulkOperationRunQueryPayload {
    bulkOperation: BulkOperation
    userErrors: [BulkOperationUserError!]!
  }

  enum WebhookSubscriptionTopic {
    APP_SCOPES_UPDATE
    APP_UNINSTALLED
    BULK_OPERATIONS_FINISH
    CHECKOUTS_CREATE
    CHECKOUTS_DELETE
    CHECKOUTS_UPDATE
    CUSTOMERS_CREATE
    CUSTOMERS_DELETE
    CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE
    CUSTOMERS_MARKETING_CONSENT_UPDATE
    CUSTOMERS_MERGE
    CUSTOMERS_UPDATE
    FULFILLMENTS_CREATE
    FULFILLMENTS_UPDATE
    FULFILLMENT_EVENTS_CREATE
    ORDERS_CANCELLED
    ORDERS_CREATE
    ORDERS_DELETE
    ORDERS_EDITED
    ORDERS_FULFILLED
    ORDERS_PAID
    ORDERS_PARTIALLY_FULFILLED
    ORDERS_UPDATED
    PRODUCTS_CREATE
    PRODUCTS_DELETE
    PRODUCTS_UPDATE
    REFUNDS_CREATE
    SHOP_UPDATE
  }

  enum WebhookSubscriptionFormat {
    JSON
    XML
  }

  input WebhookSubscriptionInput {
    format: WebhookSubscriptionFormat
    name: String
    uri: String
  }

  type WebhookSubscription implements Node {
    id: ID!
    name: String
    topic: WebhookSubscriptionTopic!
    uri: String!
  }

  type WebhookSubscriptionConnection {
    nodes: [WebhookSubscription!]!
    pageInfo: PageInfo!
  }

  type UserError {
    field: [String!]
    message: String!
  }

  type WebhookSubscriptionCreatePayload {
    userErrors: [UserError!]!
    webhookSubscription: WebhookSubscription
  }

  type AccessScope {
    handle: String!
  }

  type AppInstallation {
    accessScopes: [AccessScope!]!
  }

  type App implements Node {
    id: ID!
  }

  type AppUninstallAppUninstallError {
    field: [String!]
    message: String!
  }

  type AppUninstallPayload {
    app: App
    userErrors: [AppUninstallAppUninstallError!]!
  }

  type QueryRoot {
    abandonedCheckouts(
      after: String
      first: Int
      query: String
      sortKey: AbandonedCheckoutSortKeys = ID
    ): AbandonedCheckoutConnection!
    bulkOperation(id: ID!): BulkOperation
    currentAppInstallation: AppInstallation!
    customers(after: String, first: Int, query: String, sortKey: CustomerSortKeys = ID): CustomerConnection!
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    orders(after: String, first: Int, query: String, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
    products(after: String, first: Int, query: String, sortKey: ProductSortKeys = ID): ProductConnection!
    shop: Shop!
    webhookSubscriptions(after: String, first: Int): WebhookSubscriptionConnection!
  }

  type Mutation {
    appUninstall: AppUninstallPayload
    bulkOperationRunQuery(groupObjects: Boolean! = false, query: String!): BulkOperationRunQueryPayload
    webhookSubscriptionCreate(
      topic: WebhookSubscriptionTopic!
      webhookSubscription: WebhookSubscriptionInput!
    ): WebhookSubscriptionCreatePayload
  }
`
