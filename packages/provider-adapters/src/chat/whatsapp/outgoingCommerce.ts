import type { InteractiveOf } from "@parley/domain/messaging"

/** Action of a message with several products. */
export const productList = ({ catalogId, sections }: InteractiveOf<"product_list">) => ({
  catalog_id: catalogId,
  sections: sections.map(({ productIds, title }) => ({
    title,
    product_items: productIds.map((id) => ({ product_retailer_id: id }))
  }))
})

/** Action of a message with product cards. */
export const productCarousel = ({ catalogId, productIds }: InteractiveOf<"product_carousel">) => ({
  cards: productIds.map((id, index) => ({
    card_index: index,
    type: "product",
    action: { product_retailer_id: id, catalog_id: catalogId }
  }))
})

type Charge = NonNullable<InteractiveOf<"order_details">["shipping"]>

const charge = ({ description, discountProgramName, offset, value }: Charge) => ({
  value,
  offset,
  ...(description !== undefined && { description }),
  ...(discountProgramName !== undefined && { discount_program_name: discountProgramName })
})

/** Action of an order to pay. */
export const orderDetails = (order: InteractiveOf<"order_details">) => ({
  name: "review_and_pay",
  parameters: {
    reference_id: order.referenceId,
    type: order.goods,
    payment_type: order.paymentType,
    payment_settings: order.paymentSettings,
    currency: order.currency,
    total_amount: order.totalAmount,
    order: {
      status: "pending",
      items: order.items.map(({ amount, name, quantity, retailerId, saleAmount }) => ({
        retailer_id: retailerId,
        name,
        amount,
        ...(saleAmount !== undefined && { sale_amount: saleAmount }),
        quantity
      })),
      subtotal: order.subtotal,
      tax: charge(order.tax),
      ...(order.shipping !== undefined && { shipping: charge(order.shipping) }),
      ...(order.discount !== undefined && { discount: charge(order.discount) })
    }
  }
})

/** Action of a new order status. */
export const orderStatus = ({ description, payment, referenceId, status }: InteractiveOf<"order_status">) => ({
  name: "review_order",
  parameters: {
    reference_id: referenceId,
    order: { status, ...(description !== undefined && { description }) },
    ...(payment !== undefined && { payment })
  }
})
