import type { FieldDescriptions } from "./FieldDescriptions.ts"

type Fields = FieldDescriptions[string]

/** Content of an authentication template that all languages share. */
const sharedAuthentication: Fields = {
  transfer:
    "`copy_code` copies the code; `one_tap` and `zero_tap` pass it to an app on Android, and copy it if that fails.",
  securityRecommendation: "Whether the text says that nobody should share the code. Default: false.",
  expiryMinutes:
    "Validity of the code in minutes, 1 to 90, shown below the text; without it, the button stops working after ten minutes.",
  apps: "Android apps that can receive the code, one to five; required for `one_tap` and `zero_tap`, refused for `copy_code`.",
  "apps.packageName": "Package name of the app, such as `com.example.app`.",
  "apps.signatureHash": "Hash of the app's signing key, with 11 characters.",
  zeroTapTermsAccepted: "Whether you accept the provider's terms for `zero_tap`; must be true for it. Default: false."
}

const buttonPreview = (path: string): Fields => ({
  [path]: "Buttons in their order.",
  [`${path}.type`]: "Kind of the button, as in the template.",
  [`${path}.text`]: "Label of the button; labels that the provider translates are in English.",
  [`${path}.value`]: "Address, phone number or code of the button; null for other buttons."
})

const providerIds: Fields = {
  displayName: "Name of the chat account for members. Default: the name before a removal, otherwise the verified name.",
  externalAccountId: "Id of the business account of the number at the provider.",
  externalPhoneId: "Id of the number at the provider.",
  messagingAccountId:
    "Id of the business account that pays for messages and owns the templates, if it differs. Default: the one of the number."
}

const signup: Fields = {
  pin: "PIN of a number that already has two-step verification: six digits. Default: Parley creates a PIN.",
  overrideCallback:
    "Whether the events of this business account go to Parley, even if the app has another webhook URL. Default: false."
}

const refusal: Fields = {
  providerCode: "Error code of the provider.",
  reason: "Message of the provider."
}

const variableValues =
  "Values of the template's variables by key, such as `body.1`; files are ids of media, places are `latitude,longitude`."

const examples = "Sample of each variable by name or number, for the reviewers of the template."

const link = "The provider's link to its copy of the sample; it expires and cannot be sent. Set by the provider."

const mediaId = "Id of an uploaded sample file for the reviewers of the template."

const language = "Language as a BCP 47 tag, such as `en-US`; requests can also use `en_US`."

const category =
  "`utility`: about an order, appointment or account; `marketing`: everything that promotes; `authentication`: a one-time code; the provider can assign another one."

const timeToLive =
  "Seconds after which an undelivered message is dropped; -1 is 30 days, and the category limits the range. Default: the provider's."

/** Descriptions of the fields of `chat`, by component, operation or event, and path. */
export const chatFields: FieldDescriptions = {
  receiveAccountDelivery: {
    type: "`message.received`: a message of a customer; `message.status`: the status of a message of the team.",
    timestamp: "Time of the message, or of its status, in UTC."
  },
  "chat_account.notice": {
    "data.topic": "Subject of the notice.",
    "data.event": "Name of the event at the provider, such as `PIN_CHANGED`.",
    "data.detail": "More about the event, in the words of the provider; null without any."
  },
  "chat_account.status_changed": {
    "data.from": "Status before the change.",
    "data.to":
      "Status after the change: `degraded` if the provider limits or refuses messages, `disconnected` if it denies access."
  },
  "message_template.category_change_announced": {
    "data.category": "Category that the provider will assign.",
    "data.at": "Time of the change in UTC; null if the provider does not report it."
  },
  "message_template.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change; only `approved` templates can be sent."
  },
  AddedNumber: { phone: "Phone number to add, in E.164 format, such as `+4930123456`." },
  AuthenticationContent: {
    ...sharedAuthentication,
    copyText: "Label of the button that copies the code, at most 25 characters. Default: the provider's.",
    autofillText:
      "Label of the button that passes the code to the app; refused for `copy_code`. Default: the provider's.",
    text: "Text in the language of the template. Set by the provider."
  },
  AuthenticationTemplates: {
    name: "Name of the templates; authentication templates with this name are replaced in these languages.",
    languages:
      "Languages as BCP 47 tags, such as `en-US`, one to 100; the answer has one template for each accepted language.",
    authentication: "Content of the templates in all languages.",
    timeToLive:
      "Seconds after which an undelivered message is dropped: 30 to 900, or -1 for 30 days. Default: the provider's."
  },
  CardHeader: { type: "Kind of the uploaded file; the header is an image or a video." },
  CarouselCard: {
    header: "Image or video of the card.",
    body: "Text of the card, at most 160 characters and two line breaks. Default: none.",
    button: "Button that opens a link; each card has either a link or replies.",
    "button.label": "Label of the button, at most 20 characters.",
    "button.url": "Address that the button opens.",
    replies: "Reply buttons of the card, one to three; each card has the same number.",
    "replies.id": "Id that the answer contains when the customer taps the button.",
    "replies.title": "Label of the button, at most 20 characters."
  },
  ChannelRefusedProblem: {
    ...refusal,
    remedy:
      "Consequence of the refusal: for example, `retry` is temporary, `give_up` is an invalid call, `reauthorize` needs another token, and `stop_account` a change of the account.",
    retryAfterMillis: "Milliseconds until the call can succeed; null if the provider does not report it.",
    subcode: "More specific error code of the provider; absent without one.",
    scope:
      "`business_account`: the refusal concerns all numbers of the business account; otherwise absent, or `number`."
  },
  ChatAccount: {
    provider: "Name of the chat provider: `whatsapp`, or `webhook` for an account with its own URL.",
    mode: "`own_app`: connected through an app of the organization; `platform_app`: through the app of this service.",
    displayName: "Name of the chat account for members.",
    phone: "Phone number in E.164 format; null while unknown, and for an account with its own URL.",
    externalAccountId: "Id of the business account at the provider; for an account with its own URL, its own id.",
    externalPhoneId: "Id of the number at the provider; for an account with its own URL, its own id.",
    messagingAccountId:
      "Id of the business account that pays for messages and owns the templates; null if it is the one of the number.",
    url: "URL that messages are posted to; null for a number.",
    status: "`degraded`: the provider limits or refuses messages; `disconnected`: the provider denies access.",
    qualityRating: "Quality rating of the number by the provider; `unknown` if it reports none.",
    messagingLimit:
      "Number of people that the business can write to first in 24 hours, in the provider's form, such as `TIER_2K`; null if unknown.",
    throughputPerSecond: "Maximum number of messages per second; null if unknown.",
    number: "Fields of the number as the provider reported them last; null before the first report.",
    lastCheckedAt: "Time of the last check at the provider in UTC; null before the first one.",
    lastError: "Latest error of the account; null if the last check found none.",
    restrictions: "Restrictions that the provider reported last; some can have ended.",
    webhookUrl: "URL to which the provider delivers the events of this account."
  },
  ChatAccountError: {
    code: "Error code of the provider; null without one.",
    reason: "Explanation of the error, usually in the words of the provider.",
    cause:
      "`restriction` if the account is degraded by its `restrictions` and recovers with their end; otherwise absent."
  },
  ChatAccountPatch: {
    url: "New HTTPS URL that messages are posted to, only for an account with its own URL.",
    accessToken:
      "New access token, only for a number; it is checked with the provider, stored encrypted and never shown.",
    appSecret: "New secret of the organization's own app, only for `own_app`; the previous one stays valid for one day."
  },
  ChatAccountRestriction: {
    type: "Name of the restriction at the provider, such as `RESTRICTED_BIZ_INITIATED_MESSAGING`.",
    scopes: "Messages, calls or actions that the restriction stops; `unknown` for a type that Parley does not know.",
    expiresAt: "End of the restriction in UTC; null if the provider reports none."
  },
  ChatNumberUnknownProblem: refusal,
  ChatTokenRefusedProblem: refusal,
  ChatTokenUnsuitableProblem: {
    reason:
      "`account_inaccessible`: the token cannot use the business account; `number_elsewhere`: that account does not have the number; `scopes_missing`: the token lacks permissions.",
    missingScopes: "Permissions that the token lacks; empty for other reasons.",
    appId: "Id of the app of the token or the number; null if unknown.",
    externalAccountId:
      "Id of the business account that the token cannot use or that does not have the number; null for other reasons."
  },
  CodeRequest: { language: "Language of the SMS or the call, such as `en_US`." },
  Health: { status: "Always `ok`: the process runs." },
  HealthEntity: {
    kind: "Part of the connection that the entry describes.",
    externalId: "Id at the provider; null if not reported.",
    canSend:
      "Whether messages can be sent, as the provider reports it; `limited` has its reasons in `limits`, `blocked` in `issues`.",
    issues: "Problems that block sending, with the solution of the provider.",
    "issues.code": "Error code of the provider.",
    "issues.reason": "Explanation of the problem in the words of the provider.",
    "issues.solution": "Solution in the words of the provider; null without one.",
    limits: "Reasons for a limit, in the words of the provider."
  },
  LibraryButtonInput: {
    type: "Kind of the button in the library template: `url` or `phone_number`.",
    url: "Address that the button opens; it can end in `{{1}}`.",
    example: "Complete address with an example of the variable, for an address that ends in `{{1}}`. Default: none.",
    phone: "Phone number that the button calls, in E.164 format."
  },
  LibraryTemplate: {
    id: "Id of the template in the library of the provider; null without one.",
    name: "Name in the library, for `libraryName` of a new template.",
    language: "Language as a BCP 47 tag, such as `en-US`.",
    category: "Category of the template.",
    topic: "Topic of the provider, such as `ORDER_MANAGEMENT`; null without one.",
    useCase: "Use case of the provider, such as `DELIVERY_UPDATE`; null without one.",
    industries: "Industries of the provider, such as `E_COMMERCE`.",
    header: "Text of the header; null without one.",
    body: "Text of the body with its variables.",
    bodyTypes: "Types of the variables of the body, such as `AMOUNT`; the provider checks the values of each message.",
    bodyExamples: "Examples of the variables of the body, in their order.",
    buttons: "Buttons of the template.",
    "buttons.type": "Kind of the button, such as `url` or `phone_number`.",
    "buttons.text": "Label of the button; null without one.",
    "buttons.url": "Placeholder of the web address, which a new template replaces; null without one.",
    "buttons.phone": "Placeholder of the phone number, which a new template replaces; null without one."
  },
  LibraryTemplates: { data: "Templates of the library that match the filters." },
  MessageRate: {
    category: "Category of the message at the provider."
  },
  MessageTemplate: {
    name: "Name of the template, unique per chat account and language.",
    language,
    category,
    components: "Content of the template; in a change, it replaces all former content.",
    variables: "Variables that a message with this template fills.",
    status:
      "Only `approved` templates can be sent; `draft`: not submitted; `pending`: in review; `disabled`: paused too often, or missing at the provider.",
    rejectionReason: "Reason of the provider for the rejection; null unless the template is `rejected`.",
    quality: "Latest quality score of the provider; `unknown` without one.",
    externalId: "Id of the template at the provider; null before the submission."
  },
  MessageTemplateEditLimitedProblem: { retryAt: "Time in UTC from which the next edit is possible." },
  MessageTemplatePatch: {
    timeToLive:
      "Seconds after which an undelivered message is dropped; -1 is 30 days, null is the default of the provider. The provider cannot remove the value of a submitted template, so an edit to null is refused."
  },
  MessageTemplateStatusInvalidProblem: {
    templateStatus: "Current status of the template.",
    allowed: "Statuses in which the call is possible."
  },
  MessageTemplateUse: {
    id: "Id of the message template.",
    name: "Name of the message template.",
    language: "Language of the message template as a BCP 47 tag, such as `en-US`.",
    values: "Values of the template's variables by key, such as `body.1`; a one-time code is shown as `••••••`."
  },
  NewLibraryMessageTemplate: {
    libraryName: "Name of the template in the library of the provider.",
    name: "Name of the new template, unique per chat account and language.",
    language,
    category: "Category of the new template.",
    buttons: "Addresses and phone numbers of the buttons, at most ten. Default: none."
  },
  NewMessageTemplate: { timeToLive },
  NewNumber: {
    ...providerIds,
    provider: "Name of the chat provider. Default: `whatsapp`.",
    accessToken:
      "Access token with the permissions of the provider for messages and management; stored encrypted and never shown.",
    appSecret: "Secret of the app, which verifies the signatures of its deliveries; stored encrypted and never shown."
  },
  NewPin: { pin: "New PIN of the two-step verification: six digits. Default: Parley creates a PIN." },
  NewRate: { category: "Category of the message at the provider." },
  NewRates: { rates: "Rates to import; equal rates are replaced." },
  NumberDetails: {
    status: "Status of the number at the provider; only `connected` numbers send without limits.",
    codeVerification: "Verification of the number by a code; only a `verified` number can be registered.",
    verifiedName: "Name that customers see; null if the provider does not report it.",
    nameStatus: "Review of the display name by the provider.",
    newNameStatus: "Review of a changed display name; null without a change.",
    platform: "Platform that the number is registered on; `not_applicable` if it is registered on none.",
    mode: "`live`, or `sandbox` for a test number.",
    throughput: "Level of the maximum rate at the provider; `throughputPerSecond` of the account has the rate.",
    isPinEnabled: "Whether two-step verification is on; null if the provider does not report it.",
    isOnBusinessApp:
      "Whether the number is also used in the WhatsApp Business app, so that Parley does not register it; null if not reported.",
    isOfficialBusinessAccount: "Whether the provider marks the number as an official business; null if not reported.",
    webhookUrls: "URLs to which the provider delivers events of the number; null if not reported.",
    canSend:
      "Whether messages can be sent, as the provider reports it for the whole connection; `health` has the details.",
    health: "Health of each part of the connection: the number, its business account, its business and the app."
  },
  OnboardingChecklist: {
    isComplete: "Whether no step is `waiting` or `failed`; unknown and declined steps do not count.",
    checkedAt: "Time of the last check at the provider in UTC; null before the first one.",
    token: "Access token as the provider describes it; null if unknown.",
    "token.kind":
      "`system_user`: of a system user; `business_integration`: of the signup of one customer; `user`: of a person.",
    "token.appId": "Id of the app that created the token; null if not reported.",
    "token.scopes": "Permissions of the token.",
    "token.expiresAt": "End of the token in UTC; null if it does not expire or the provider does not report it.",
    recentRegistrationCalls:
      "Number of registrations and deregistrations in the last 72 hours; the provider accepts ten.",
    steps: "Steps of the onboarding, in their order."
  },
  OnboardingRefusedProblem: {
    reason: "Cause of the refusal; `detail` has the next step.",
    providerCode: "Error code of the provider; null if Parley refused the step before a call.",
    providerReason: "Message of the provider; null if Parley refused the step before a call.",
    retryAt: "Earliest time of a useful repetition in UTC; null if unknown."
  },
  OnboardingStep: {
    step: "Name of the step; `contacts_synced` and `history_synced` are only for numbers of the WhatsApp Business app.",
    state:
      "`unknown`: the provider has not reported it, and a check can; `declined`: the customer declined this optional step.",
    action: "What to do next; null if nothing.",
    link: "Page of the provider for this step; null for a `done` step, and without such a page.",
    at: "Time of the completion, the last attempt, or the end of the token in UTC; null if unknown.",
    reason: "Cause of the state; null without one.",
    providerCode: "Error code of the provider; null without one.",
    providerReason: "Message of the provider; null without one."
  },
  PlatformApp: {
    offered: "Whether this service has a platform app.",
    appId: "Id of the platform app, for the signup of the provider; null if the service has none.",
    signupConfigurationId: "Id of the signup configuration at the provider; null without one.",
    webhookPath: "Path of the webhook of the platform app, below the public URL of this service."
  },
  PlatformSignup: {
    ...providerIds,
    ...signup,
    code: "Code of the finished signup; it is valid once, for 30 seconds."
  },
  PlatformSignupSession: {
    ...signup,
    code: "Code of the finished signup, valid once for 30 seconds; required unless the session is a cancelled signup.",
    displayName:
      "Name of the chat account for members. Default: the name before a removal, otherwise the verified name.",
    externalPhoneId:
      "Id of the number at the provider, if `session` has none. Default: the only number of the business account.",
    session: "Session event of the signup, as the browser received it from the provider."
  },
  RateCard: { rates: "Rates of the currency that start on this day." },
  Registration: {
    pin: "PIN of the two-step verification: six digits. Default: the PIN that Parley has stored, otherwise a new one."
  },
  SharedAuthenticationContent: sharedAuthentication,
  SignupCancelledProblem: {
    step: "Screen on which the customer left the signup; null if not reported.",
    shownError: "Error that the provider showed to the customer; null if it showed none.",
    errorId: "Id of this error for the support of the provider; null without one."
  },
  SignupCodeRefusedProblem: refusal,
  SignupNumberMissingProblem: {
    externalPhoneIds: "Ids of the numbers of the business account to choose from; empty if it has none."
  },
  TemplateButton: {
    type: "Kind of the button: for example, `url` opens a link, `copy_code` copies a coupon, and `quick_reply` sends its label as an answer.",
    text: "Label of the button, at most 25 characters; optional for catalog buttons, with the label of the provider as the default.",
    url: "Address that the button opens; it can end in `{{1}}`.",
    example:
      "Sample for the reviewers: a coupon code of `copy_code`, or the end of an address with `{{1}}` or the whole address.",
    appDeepLink: "Android app to open instead of the browser. Default: none.",
    "appDeepLink.metaAppId": "Id of the app at Meta.",
    "appDeepLink.androidDeepLink": "Address that the app opens, such as `bluebakery://orders`.",
    "appDeepLink.androidFallbackPlaystoreUrl":
      "Page of the app in the Play Store, for phones without the app. Default: none.",
    phone: "Phone number that the button calls, in E.164 format.",
    flowId: "Id of the flow at the provider; use either this or `flowName`.",
    flowName: "Name of the flow at the provider; use either this or `flowId`.",
    action:
      "`navigate` opens `screen`; with `data_exchange`, the flow asks your endpoint for the screen. Default: the provider's.",
    screen: "First screen of the flow; refused for `data_exchange`. Default: the provider's.",
    icon: "Icon of the button. Default: the provider's."
  },
  TemplateCard: {
    header: "Image, video or product of the card.",
    "header.format": "Kind of the header, the same on all cards.",
    "header.mediaId": mediaId,
    "header.link": link,
    body: "Text of the card. Default: none.",
    "body.text":
      "Text of at most 160 characters and two line breaks, with variables such as `{{1}}` or `{{first_name}}`.",
    "body.examples": examples,
    buttons: "One or two buttons, of the same kinds on all cards."
  },
  TemplateComponents: {
    header: "Header above the body. Default: none.",
    body: "Text of the template; required for all kinds but one-time codes.",
    "body.text":
      "Text of at most 1,024 characters with variables, either `{{1}}` and `{{2}}` or names such as `{{first_name}}`.",
    "body.examples": examples,
    footer: "Line below the body. Default: none.",
    "footer.text": "Text of at most 60 characters, without variables.",
    buttons: "Buttons of the template, at most ten. Default: none.",
    authentication:
      "Content of a one-time code, for the category `authentication`; no other component is allowed with it.",
    limitedTimeOffer: "Limited-time offer above the body, for marketing only. Default: none.",
    "limitedTimeOffer.text": "Text of the offer, at most 16 characters.",
    "limitedTimeOffer.hasExpiration":
      "Whether the message shows the end of the offer, which each message then sets as `offer.expiresAt`. Default: false.",
    cards: "Cards of a carousel, two to ten, or exactly two for products. Default: none.",
    callPermissionRequest: "Asks the customer for the permission to call. Default: no request.",
    unsupported:
      "Components that Parley does not know, in the form of the provider; such a template cannot be sent. Set by the provider."
  },
  TemplateContentToPreview: {
    category: "Category of the content, which determines its rules.",
    components: "Content to preview.",
    values: `${variableValues.slice(0, -1)}. Default: the examples.`
  },
  TemplateHeader: {
    format:
      "Kind of the header; except for `text`, each message has its own file, place or product, and a `gif` is an MP4 video.",
    text: "Text of at most 60 characters in one line, with at most one variable.",
    examples,
    mediaId,
    link
  },
  TemplateNotApprovedProblem: { templateStatus: "Current status of the template." },
  TemplatePreview: {
    header: "Text of the header, or its kind in brackets, such as `[image]`; null without a header.",
    limitedTimeOffer: "Text of a limited-time offer, shown above the body; absent without one.",
    body: "Text of the body with its values; variables without a value stay placeholders.",
    footer: "Text below the body; null without one.",
    ...buttonPreview("buttons"),
    cards: "Cards of a carousel; absent without one.",
    "cards.header": "Product id of the card, or the kind of its header in brackets, such as `[image]`.",
    "cards.body": "Text of the card with its values; null without one.",
    ...buttonPreview("cards.buttons")
  },
  TemplateSync: {
    created: "Number of templates of the provider that were new here.",
    updated: "Number of templates that were changed here.",
    unchanged: "Number of templates without a change.",
    missing: "Number of submitted templates that the provider no longer has; they are `disabled`."
  },
  TemplateToPreview: { values: `${variableValues.slice(0, -1)}. Default: the examples.` },
  TemplateVariable: {
    key: "Key of the value in a message, such as `body.first_name` or `buttons.0`.",
    in: "Part of the template that contains the variable.",
    kind: "Kind of the value: for example, `image` is the id of an uploaded file, `url_suffix` the end of an address, and `location` is `latitude,longitude`.",
    isOptional: "True if the template can be sent without this value; otherwise absent."
  },
  UpsertedMessageTemplates: { data: "Templates that the provider accepted, one per language." },
  Verification: { code: "Code of the SMS or the call: six digits, also in the form `123-830`." }
}
