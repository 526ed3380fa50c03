import { Schema } from "effect"
import {
  Body,
  CardHeader,
  code,
  Footer,
  frame,
  Label,
  line,
  listOf,
  prose,
  ProviderData,
  TextHeader,
  WebAddress
} from "./parts.ts"

/** Message with reply buttons. */
export const ReplyButtons = Schema.Struct({
  type: Schema.Literal("buttons"),
  body: Body,
  ...frame,
  buttons: listOf(Schema.Struct({ id: code(256), title: Label }), 1, 3, "buttons")
})

/** Message with a list of choices. */
export const ChoiceList = Schema.Struct({
  type: Schema.Literal("list"),
  body: prose(4_096),
  header: Schema.optionalKey(TextHeader),
  footer: Schema.optionalKey(Footer),
  button: Label,
  sections: listOf(
    Schema.Struct({
      title: line(24),
      rows: listOf(
        Schema.Struct({ id: code(200), title: line(24), description: Schema.optionalKey(line(72)) }),
        1,
        10,
        "rows"
      )
    }),
    1,
    10,
    "sections"
  )
})

/** Message with a button that opens a web address. */
export const LinkButton = Schema.Struct({
  type: Schema.Literal("cta_url"),
  body: Body,
  ...frame,
  label: Label,
  url: WebAddress
})

/** Message that asks for the location of the recipient. */
export const LocationRequest = Schema.Struct({ type: Schema.Literal("location_request"), body: Body })

/** Message that asks for the phone number of the recipient. */
export const ContactRequest = Schema.Struct({ type: Schema.Literal("contact_request"), body: Body })

const emoji = /\p{Extended_Pictographic}/u

/** Message that opens a flow of the provider. */
export const FlowMessage = Schema.Struct({
  type: Schema.Literal("flow"),
  body: Body,
  ...frame,
  flow: Schema.Union([Schema.Struct({ id: code(64) }), Schema.Struct({ name: code(200) })]),
  token: code(512).annotate({ description: "Returned in the answer of the recipient." }),
  label: Label.check(Schema.makeFilter((text: string) => !emoji.test(text) || "Expected a label without emoji")),
  mode: Schema.optionalKey(Schema.Literals(["draft", "published"])),
  action: Schema.Literals(["navigate", "data_exchange"]),
  /** First screen. Only for `navigate`. */
  screen: Schema.optionalKey(code(200)),
  /** Data of the first screen. Only for `navigate`. */
  data: Schema.optionalKey(ProviderData)
})

const addressFields = {
  name: Schema.optionalKey(line(200)),
  phone_number: Schema.optionalKey(line(30)),
  in_pin_code: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{6}$/u, { message: "Expected 6 digits" }))),
  house_number: Schema.optionalKey(line(100)),
  floor_number: Schema.optionalKey(line(100)),
  tower_number: Schema.optionalKey(line(100)),
  building_name: Schema.optionalKey(line(100)),
  address: Schema.optionalKey(line(200)),
  landmark_area: Schema.optionalKey(line(200)),
  city: Schema.optionalKey(line(100)),
  state: Schema.optionalKey(line(100))
}

const messageOf = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, Schema.optionalKey(line(200))])) as {
    readonly [Key in keyof Fields]: Schema.optionalKey<typeof Footer>
  }

/** Message that asks for an address in India. Its fields have the names of the provider. */
export const AddressRequest = Schema.Struct({
  type: Schema.Literal("address"),
  body: Body,
  ...frame,
  // A single literal would select the type of the message, and its fault would name the whole message.
  country: Schema.Literals(["IN"]),
  values: Schema.optionalKey(Schema.Struct(addressFields)),
  savedAddresses: Schema.optionalKey(
    listOf(Schema.Struct({ id: code(200), value: Schema.Struct(addressFields) }), 1, 10, "addresses")
  ),
  /** Fault of a value, by field. */
  validationErrors: Schema.optionalKey(Schema.Struct(messageOf(addressFields)))
})

/** Message that asks for the permission to call. */
export const CallPermissionRequest = Schema.Struct({
  type: Schema.Literal("call_permission_request"),
  body: Schema.optionalKey(Body)
})

/** Message with a button that calls the number. */
export const CallButton = Schema.Struct({
  type: Schema.Literal("voice_call"),
  body: Body,
  label: Schema.optionalKey(Label),
  ttlMinutes: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 43_200 }, { message: "Expected a whole number from 1 to 43200" })
    )
  ),
  payload: Schema.optionalKey(code(512))
})

const Card = Schema.Struct({
  header: CardHeader,
  body: Schema.optionalKey(
    prose(160).check(
      Schema.makeFilter((text: string) => text.split("\n").length <= 3 || "Expected at most 2 line breaks")
    )
  ),
  button: Schema.optionalKey(Schema.Struct({ label: Label, url: WebAddress })),
  replies: Schema.optionalKey(listOf(Schema.Struct({ id: code(20), title: Label }), 1, 3, "replies"))
}).annotate({ identifier: "CarouselCard" })

/** Message with cards. Each card has a link button, or each card has the same number of replies. */
export const MediaCarousel = Schema.Struct({
  type: Schema.Literal("carousel"),
  body: Body,
  cards: listOf(Card, 2, 10, "cards")
})
export type CarouselCard = typeof Card.Type
