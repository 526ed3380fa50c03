/** A contradiction between the corpus and Meta's OpenAPI document of 2025-11-21. */
export interface Disputed {
  readonly fault: RegExp
  /** Names of the facts. Default: all facts. */
  readonly facts?: RegExp
  /** Why the corpus is right. */
  readonly reason: string
}

export const disputed: ReadonlyArray<Disputed> = [
  {
    fault: /^\/interactive\/(?:type|action)/u,
    facts: /^send-(?:address|carousel|cta-url|location-request|order|request-contact-info|voice-call)/u,
    reason: "The document lacks kinds that Meta documents on separate pages."
  },
  {
    fault: /^\/interactive\/action/u,
    facts: /^send-catalog-without-thumbnail$/u,
    reason: "The page of catalog messages marks the thumbnail as optional."
  },
  {
    fault: /^\/interactive\/body\/text must NOT have more than 1024 characters$/u,
    facts: /^send-list-longest-body$/u,
    reason: "The page of list messages permits 4096 characters."
  },
  { fault: /^\/type must be equal to one/u, facts: /pin$/u, reason: "The document lacks pinned messages of groups." },
  {
    fault: /^\/location\/(?:latitude|longitude) must be string$/u,
    reason: "The page of location messages shows numbers as well."
  },
  {
    fault: /^\/contacts\/\*\/phones\/\*\/type must be equal to one/u,
    reason: "Meta's examples have other types of phones, such as MOBILE."
  },
  {
    fault: /^\/template\/language must have required property 'policy'$/u,
    reason: "Meta's own examples leave the policy out."
  },
  {
    fault: /^\/template\/components\/\*\/index must match pattern/u,
    reason: "The pattern of the document forbids the index 0 of Meta's own examples."
  },
  {
    fault: /^\/template\/components\/\*\/(?:sub_type|type) must be equal to one/u,
    reason: "The document lacks the newer buttons and components."
  },
  {
    fault: /^ must have required property 'to'$/u,
    facts: /user-id$/u,
    reason: "The document is older than the recipient field of business-scoped user ids."
  },
  {
    fault: /^(?: must have required property '(?:to|call_id)'|\/action must be equal to one| must match exactly one)/u,
    facts: /-call(?:-user-id)?$/u,
    reason: "The document has connect and terminate calls only, and two equal schemas of answers."
  },
  {
    fault: /^ must match exactly one/u,
    facts: /^(?:call-started|success|update-qr-code)$/u,
    reason: "Two schemas of the document accept the same body."
  },
  {
    fault: /^(?: must (?:have required property|match exactly one)|\/user_identity_change must have required)/u,
    facts: /^enable-identity-check$/u,
    reason: "The page of settings writes enable_identity_key_check, the document enabled."
  },
  {
    fault: /^ must (?:have required property|match exactly one)/u,
    facts: /^enable-calling$/u,
    reason: "The page of call settings changes one part of the settings."
  },
  { fault: /^\/categories must be string$/u, reason: "A list in JSON is a text in a form only." },
  { fault: /^ must have required property 'name'$/u, reason: "The parameter fields selects the fields." },
  { fault: /^\/file_size must be string$/u, reason: "The file size is seen in both forms." },
  {
    fault: /^\/permission\/status must be equal to one/u,
    reason: "The page of call permissions has no_permission, temporary and permanent."
  },
  {
    fault: /^\/calling(?:\/\w+)? must/u,
    reason: "The page of call settings writes capitals, and shows the addresses of SIP on request only."
  },
  {
    fault: /^\/data\/\*\/(?:status|quality_rating|code_verification_status) must be equal to one/u,
    reason: "The document has values of the on-premises API."
  },
  {
    fault:
      /^\/groups\/\*(?: must have required property 'request_id'|\/timestamp must be integer|\/type must be equal to one)/u,
    reason: "The page of group webhooks has other types, text timestamps, and events without a request."
  },
  {
    fault: /^\/messages\/\*\/(?:interactive\/)?type must be equal to one/u,
    reason: "The document lacks the newer kinds of messages."
  },
  {
    fault: /^\/messages\/\*(?: must have required property 'from'|\/system\/type must be equal to one)/u,
    reason: "The document is older than business-scoped user ids."
  },
  {
    fault: /^\/messages\/\*\/location must have required property '(?:address|name)'$/u,
    reason: "A current position has coordinates only."
  },
  {
    fault: /^\/messages\/\*\/reaction must have required property 'emoji'$/u,
    reason: "The page of reactions leaves the emoji out after a removal."
  },
  {
    fault: /^\/messages\/\*\/context must have required property/u,
    reason: "The document joins three kinds of context and requires the fields of all."
  },
  {
    fault: /^\/messages\/\*\/referral must have required property 'ctwa_clid'$/u,
    reason: "Advertisements in Status have no click id."
  },
  {
    fault: /^\/messages\/\* must have required property 'text'$/u,
    facts: /^message-without-body$/u,
    reason: "The value has errors instead of the body."
  },
  {
    fault: /^\/statuses\/\* must have required property 'recipient_id'$/u,
    reason: "The document is older than business-scoped user ids."
  },
  {
    fault: /^\/statuses\/\*\/status must be equal to one/u,
    reason: "The document lacks played and the statuses of payments."
  },
  {
    fault: /^ must have required property 'messages'$/u,
    facts: /^value-errors$/u,
    reason: "The value has errors only."
  }
]
