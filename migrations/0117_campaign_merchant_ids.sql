-- expand: offers of campaigns are found by merchant ids; a former version finds them by names alone

create index campaign_offer_of_merchant_id on campaign_offer using gin ((terms -> 'merchantIds')) where status <> 'Ended';
