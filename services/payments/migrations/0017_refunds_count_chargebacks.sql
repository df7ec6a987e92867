-- The previous version does not know lost disputes: it takes a charged-back sale for one with a full refund, and would
-- insert that refund or owe the buyer the charged-back amount again. SQLSTATE 40001 is retried until a process of this
-- version handles the sale.
create function refuse_refund_that_ignores_chargebacks() returns trigger
language plpgsql set search_path from current as $$
begin
  if current_setting('payments.counts_chargebacks', true) is distinct from 'on'
    and exists (select from transactions where id = new.sale_id and charged_back_cents > 0) then
    raise exception 'Sale % was charged back, which the writer of refund % does not count.', new.sale_id, new.id
      using errcode = 'serialization_failure', constraint = 'refunds_count_chargebacks';
  end if;
  return new;
end
$$;

create trigger refunds_count_chargebacks before insert or update on refunds
  for each row execute function refuse_refund_that_ignores_chargebacks();
