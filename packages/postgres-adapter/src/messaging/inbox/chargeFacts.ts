/** Facts of a charge `c` that decide its rate, and its account. */
export const chargeFacts = `to_char(c.delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "rateDay",
  c.chat_account_id AS "chatAccountId", c.country, c.category, c.type, c.billable`
