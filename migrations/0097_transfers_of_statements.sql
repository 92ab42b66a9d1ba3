-- expand: the comment on the source of a transfer names all of them

comment on column transfer.source_kind is
  'payment, payment_return, payment_release, debit, debit_return, ach_settlement, ach_return, ach_exception, ach_resolution, statement_booking, received_ach, received_ach_return, card_settlement, card_refund, reward or reward_clawback.';
